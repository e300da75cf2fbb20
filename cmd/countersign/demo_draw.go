package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/cmd/countersign/demo"
	"github.com/countersign/countersign/picture"
	"github.com/countersign/countersign/screen"
)

// draw writes the pictures: one of the session, one of each screen.
func (c *demoCommand) draw(t *terminal, guard *countersign.Guard, steps []demo.Step) error {
	if err := os.MkdirAll(c.SVG, 0o755); err != nil {
		return usage(fmt.Errorf("make the folder for the pictures: %w", err))
	}
	session, err := drawSession(guard, steps, strings.Join(append([]string{"countersign demo"}, c.Steps...), " "))
	if err != nil {
		return err
	}
	files := map[string][]byte{"demo.svg": session}
	for i := range steps {
		if steps[i].Shell != "" {
			continue
		}
		if files[steps[i].Name+".svg"], err = drawStep(guard, &steps[i]); err != nil {
			return err
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(c.SVG, name), data, 0o644); err != nil {
			return usage(fmt.Errorf("write the picture: %w", err))
		}
	}
	_, err = fmt.Fprintf(t.out, "%d pictures in %s\n", len(files), c.SVG)
	return err
}

// pictureWidth is how many columns the drawn terminal has.
const pictureWidth = 100

// drawSession runs the steps by script and draws what the terminal shows.
func drawSession(guard *countersign.Guard, steps []demo.Step, command string) ([]byte, error) {
	var out bytes.Buffer
	t := &terminal{in: strings.NewReader(""), out: &out, err: io.Discard, width: pictureWidth, colour: true}
	fmt.Fprintf(&out, "%s %s\n", t.paint(green, "$"), t.paint(bold, command))
	stage, err := openStage()
	if err != nil {
		return nil, err
	}
	w := walk{t: t, guard: guard, stage: stage, total: len(steps)}
	if err := errors.Join(w.run(steps), stage.close()); err != nil {
		return nil, err
	}
	return picture.Terminal(out.String(), "countersign demo", pictureWidth), nil
}

// drawStep draws the screen of a step with the verdict on every control.
func drawStep(guard *countersign.Guard, s *demo.Step) ([]byte, error) {
	tree, err := s.Tree()
	if err != nil {
		return nil, err
	}
	ui, err := screen.Read(tree, screen.Limits{})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("demo step %s", s.Name), err)
	}
	e := explanation{guard: guard, ui: ui, pkg: s.Package}
	e.judgeAll(&terminal{err: io.Discard})
	return e.draw(), nil
}
