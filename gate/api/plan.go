package api

import (
	"errors"
	"net/http"

	"github.com/countersign/countersign/gate/api/planner"
)

// plannerCodes are the codes of a planner's failures.
var plannerCodes = []struct {
	is   error
	code string
}{
	{planner.ErrUnreachable, "planner_unreachable"},
	{planner.ErrTimeout, "planner_timeout"},
	{planner.ErrCredential, "planner_credential"},
	{planner.ErrStatus, "planner_error"},
	{planner.ErrTooLarge, "planner_too_large"},
	{planner.ErrRefused, "planner_declined"},
	{planner.ErrNotJSON, "planner_not_json"},
	{planner.ErrUnknownAction, "planner_unknown_action"},
}

// plan has the configured planner propose an action. The agent is told what
// kind of failure it was; the details are the owner's.
func (g *Gate) plan(c *call, s *StepRequest) (planner.Plan, *Problem) {
	switch {
	case g.options.Planner == nil:
		return planner.Plan{}, problem(http.StatusUnprocessableEntity, "planner_missing",
			"there is no proposed_action and no planner to propose one; send proposed_action, or have the owner start the guard with countersign up --planner URL --planner-model NAME")
	case s.Task == "":
		return planner.Plan{}, problem(http.StatusUnprocessableEntity, "task_missing", "without a task there is nothing to plan; send task, or proposed_action")
	}
	plan, err := g.options.Planner.Plan(c.r.Context(), planner.Step{
		Task: s.Task, Screen: s.ScreenDescription, Tree: s.UITree, Package: s.CurrentPackage, History: s.History,
	})
	if err == nil {
		return plan, nil
	}
	g.options.Log.Warn("the planner proposed nothing", "error", err.Error())
	for _, known := range plannerCodes {
		if errors.Is(err, known.is) {
			return plan, problem(http.StatusBadGateway, known.code, "%v", known.is)
		}
	}
	return plan, problem(http.StatusBadGateway, "planner_failed", "the planner failed; the guard's log says why")
}
