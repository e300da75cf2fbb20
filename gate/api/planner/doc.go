// Package planner asks a language model for the next action of a step, over any
// endpoint that speaks the OpenAI chat completions. It is a plain HTTP client:
// one request, a bound on time and size, no redirects to other hosts.
//
// What comes back is a proposal and nothing more. The guard judges it like any
// other action, and the model's own flag can raise an outcome, never lower it.
//
//	client.go  the endpoint: request, limits, errors
//	prompt.go  what the model is told and the form of its answer
//	answer.go  how the answer is read
package planner
