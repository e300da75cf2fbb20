// Package api is the agents' HTTP door. It translates: a request becomes a
// [decide.Request] with the identity of its credential, a [hold.Desk] decides
// and holds, and what comes back is the agent's view of it, which never names
// the word that was recognised, the rule or the evidence.
//
// Every route is a line of one table (routes.go). The mux and the OpenAPI
// document at /openapi.json are made from it, so neither can have a route that
// the other lacks.
//
//	gate.go      the handler: what every request passes
//	door.go      host, origin, content type, credential
//	body.go      bodies: size, and JSON that is read strictly
//	problem.go   errors as problem details; conflict.go which error is which
//	routes.go    the table
//	view.go      what an agent is told
//	decide.go    pure decisions; action.go actions that are held; step.go,
//	proposed.go and plan.go the step API; health.go
//	caller.go    limits and counts of one credential; bucket.go, refused.go
//	freeze.go    whether everything is stopped, for those that do not ask the store
//	openapi.go   the document; schema.go its schemas
//
// The screen, the package and everything else in a body is the agent's word and
// is recorded as such. What is not the agent's to say (that the screen was
// observed, the time, which agent it is) is refused, not ignored.
package api
