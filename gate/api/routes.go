package api

import (
	"net/http"
	"reflect"

	"github.com/countersign/countersign/decide"
)

// route is one line of the table that the mux and the OpenAPI document are made
// from.
type route struct {
	method, path string
	// id names the operation in the document.
	id, summary, about string
	// open says that no credential is needed.
	open bool
	// body is the type of the request's body, nil where there is none.
	body       reflect.Type
	parameters []parameter
	// answers are the statuses that are no problem; problems are the others that
	// are this route's own. Those of every route are not listed.
	answers  []answer
	problems []int
	handle   func(*Gate, *call) (reply, *Problem)
}

// parameter is a part of the path, the query or the header.
type parameter struct {
	name, in, about string
	required        bool
}

// answer is one status with the type of its body, nil for any JSON document.
type answer struct {
	status int
	body   reflect.Type
	about  string
}

var (
	viewType    = reflect.TypeFor[View]()
	actionID    = parameter{"id", "path", "The id that the action was answered with.", true}
	headerKey   = parameter{keyHeader, "header", "Makes a repeated request the same one; also idempotency_key in the body.", false}
	waitFor     = parameter{"wait", "query", "How long to wait for an answer, such as 30s; at most 60s.", false}
	viewOK      = answer{http.StatusOK, viewType, "Where the action stands."}
	stepAnswer  = reflect.TypeFor[StepAnswer]()
	problemType = reflect.TypeFor[Problem]()
)

// routes is every route.
var routes = []route{
	{
		method: http.MethodPost, path: "/v1/decide", id: "decide", summary: "Decide without holding",
		about: "What would happen to the action. Nothing is recorded for it, nobody is asked, and it is limited for each credential.",
		body:  reflect.TypeFor[decide.Request](), answers: []answer{{http.StatusOK, viewType, "The decision as the agent may see it."}},
		problems: []int{http.StatusForbidden, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
		handle:   (*Gate).decide,
	},
	{
		method: http.MethodPost, path: "/v1/actions", id: "propose", summary: "Propose an action",
		about: "Decides and records. With outcome allow it may be carried out at once; with confirm it is held until a person answers.",
		body:  reflect.TypeFor[Proposal](), parameters: []parameter{headerKey},
		answers: []answer{
			{http.StatusOK, viewType, "Allowed or refused."},
			{http.StatusAccepted, viewType, "Held: ask at the place that Location names."},
		},
		problems: []int{http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
		handle:   (*Gate).propose,
	},
	{
		method: http.MethodGet, path: "/v1/actions/{id}", id: "state", summary: "Where an action stands",
		about:      "Waits until the question is no longer pending or the time is over. Asking never ends a question.",
		parameters: []parameter{actionID, waitFor}, answers: []answer{viewOK},
		problems: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusTooManyRequests},
		handle:   (*Gate).state,
	},
	{
		method: http.MethodPost, path: "/v1/actions/{id}/redeem", id: "redeem", summary: "Redeem an approval",
		about: "Shows the screen as it is now. With approval.state releasing carry the action out now, once, and report the result. For a gate's credential it leaves a ticket for the gate below, and ticket_until says so.",
		body:  reflect.TypeFor[Look](), parameters: []parameter{actionID},
		answers:  []answer{{http.StatusOK, viewType, "Released: carry it out now, once."}},
		problems: []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity},
		handle:   (*Gate).redeem,
	},
	{
		method: http.MethodPost, path: "/v1/actions/{id}/result", id: "result", summary: "Report what became of it",
		about: "Ends a released action, or adds to the record of one that was allowed.",
		body:  reflect.TypeFor[Outcome](), parameters: []parameter{actionID}, answers: []answer{viewOK},
		problems: []int{http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity},
		handle:   (*Gate).result,
	},
	{
		method: http.MethodDelete, path: "/v1/actions/{id}", id: "withdraw", summary: "Withdraw a question",
		about:      "Ends a question that is no longer wanted. A later yes does nothing.",
		parameters: []parameter{actionID}, answers: []answer{viewOK},
		problems: []int{http.StatusNotFound, http.StatusConflict},
		handle:   (*Gate).withdraw,
	},
	{
		method: http.MethodPost, path: "/v1/agent/step", id: "step", summary: "One step of an agent",
		about: "Judges the proposed action, or has the configured planner propose one first. It is recorded and held as by POST /v1/actions.",
		body:  reflect.TypeFor[StepRequest](), parameters: []parameter{headerKey},
		answers: []answer{
			{http.StatusOK, stepAnswer, "Allowed or refused."},
			{http.StatusAccepted, stepAnswer, "Held: ask at the place that Location names."},
		},
		problems: []int{http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusBadGateway},
		handle:   (*Gate).step,
	},
	{
		method: http.MethodGet, path: "/healthz", id: "health", summary: "Whether the guard works", open: true,
		answers: []answer{
			{http.StatusOK, reflect.TypeFor[Health](), "It works."},
			{http.StatusServiceUnavailable, reflect.TypeFor[Health](), "It does not, and releases nothing."},
		},
		handle: (*Gate).health,
	},
	{
		method: http.MethodGet, path: "/openapi.json", id: "openapi", summary: "This document", open: true,
		answers: []answer{{http.StatusOK, nil, "An OpenAPI 3.1 document."}},
		handle:  func(g *Gate, _ *call) (reply, *Problem) { return ok(g.openapi), nil },
	},
}
