package answer

import (
	"net/http"
	"strconv"

	"github.com/countersign/countersign/channel/inbox"
)

// screen is the picture of an open question's screen, as an image of its own.
// What is in it may come from anybody; as an image it can run nothing, and
// neither when somebody opens it by itself. With ?near it is the part around the
// control, for a narrow page; with ?tree it is drawn from the tree that was decided
// on, also where a screenshot came with it.
func (h *handler) screen(c *call) error {
	a, err := h.desk.View(c.r.Context(), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	query, draw := c.r.URL.Query(), h.desk.Picture
	if query.Has("tree") {
		draw = h.desk.Drawn
	}
	p := draw(a.ID, inbox.Alt(&a), query.Has("near"))
	if p.SVG == nil {
		return problem(http.StatusNotFound, "no_picture", "there is no picture of this question's screen; its card says why")
	}
	inbox.ProtectPicture(c.w.Header())
	writeDoc(c.w, http.StatusOK, "image/svg+xml", p.SVG)
	return nil
}

// icon is the sign of a browser's tab, with a number that the page asks for. It
// tells nothing, so anybody may have it.
func (h *handler) icon(w http.ResponseWriter, r *http.Request) {
	if methodOf(r) != http.MethodGet {
		h.fail(w, r, wrongMethod("GET"))
		return
	}
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil {
		n = 0
	}
	inbox.ProtectPicture(w.Header())
	writeDoc(w, http.StatusOK, "image/svg+xml", inbox.Icon(n))
}
