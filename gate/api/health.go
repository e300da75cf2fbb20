package api

import "net/http"

// Health is whether the guard works.
type Health struct {
	Status  string `json:"status" jsonschema:"ok or degraded"`
	Version string `json:"version"`
	// Level says against whom the guard holds; see identity.Level.
	Level   string `json:"level"`
	Observe bool   `json:"observe" jsonschema:"nothing is held"`
	Frozen  bool   `json:"frozen" jsonschema:"everything is stopped"`
}

// health answers whether the guard works. What is wrong is logged, since anybody
// may ask.
func (g *Gate) health(c *call) (reply, *Problem) {
	ctx := c.r.Context()
	h := Health{Status: "ok", Version: g.options.Version, Level: g.options.Level, Observe: g.options.Observe}
	frozen, err := g.freeze.is(ctx)
	h.Frozen = frozen
	if err == nil && g.options.Health != nil {
		err = g.options.Health(ctx)
	}
	rep := ok(&h)
	if err != nil {
		g.options.Log.Error("the guard is not well", "error", err.Error())
		h.Status, rep.status = "degraded", http.StatusServiceUnavailable
	}
	return rep, nil
}
