package answer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestAllThatIsOpenIsCounted: however many questions are open, each of them counts,
// in the title, on the list and for a program. The list shows a hundred, the single
// one of another agent among them, and by its link all.
func TestAllThatIsOpenIsCounted(t *testing.T) {
	cases := 0
	for _, crowd := range []int{0, 99, 100, 5200} {
		w := newWorld(t)
		single := w.send("lee")
		for i := range crowd {
			one := single
			one.ID, one.Agent, one.AgentName = fmt.Sprintf("a_crowd%d", i), "agt_crowd", "crowd"
			one.Deadline = one.Deadline.Add(-time.Second)
			w.faults.crowd = append(w.faults.crowd, one)
		}
		cookie, open := w.cookie(host, "kim"), crowd+1
		for _, c := range []struct {
			path   string
			listed int
		}{{"/", min(open, 100)}, {"/?part=list", min(open, 100)}, {"/?show=all", open}, {"/?part=list&show=all", open}, {"/?show=none", min(open, 100)}} {
			page := w.page(c.path, cookie)
			page.want(t, c.path, 200, "")
			want := []string{fmt.Sprintf(`data-waiting="%d"`, open), fmt.Sprintf(">Open: %d</h2>", open), `data-id="` + single.ID + `"`}
			if !strings.Contains(c.path, "part") {
				want = append(want, fmt.Sprintf("<title>(%d) Questions", open), "Freeze everything")
			}
			more := open - c.listed
			if more > 0 {
				want = append(want, fmt.Sprintf("%d of %d are listed", c.listed, open), fmt.Sprintf(`<a href="/?show=all">and %d more: show them</a>`, more), fmt.Sprintf("%d asked by <bdi>crowd</bdi>", more))
			}
			for _, text := range want {
				if !strings.Contains(page.body, text) {
					t.Errorf("%d are open: %s has no %q", open, c.path, text)
				}
			}
			_, items, _ := strings.Cut(page.body, `id="items"`)
			items, _, _ = strings.Cut(items, "</ul>")
			if listed := strings.Count(items, "<li "); listed != c.listed || more == 0 && strings.Contains(page.body, "more: show them") {
				t.Errorf("%d are open: %s lists %d of them, want %d", open, c.path, listed, c.listed)
			}
			cases++
		}
		if status := into[struct{ Open int }](t, w.get("/v1/status")); status.Open != open {
			t.Errorf("%d are open: the status counts %d", open, status.Open)
		}
	}
	if cases != 20 {
		t.Errorf("%d cases, want 20", cases)
	}
}
