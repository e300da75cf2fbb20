package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/countersign/countersign/lexicon/study"
)

// lexiconCommand trains and scores what the guard knows of labels.
type lexiconCommand struct {
	Train lexiconTrainCommand `cmd:"" help:"Train the statistical layer on labelled interface strings."`
	Score lexiconScoreCommand `cmd:"" help:"Score the lexicon on apps that it was not trained on."`
}

// rowFlags say where labelled strings are.
type rowFlags struct {
	Data   []string `placeholder:"FILE" help:"Labelled strings, one JSON object a line, plain or gzipped; may be given again."`
	Res    []string `placeholder:"DIR" help:"The res folder of an Android app with a labels.txt in it; may be given again."`
	Groups int      `default:"12" help:"Deal the apps out into so many groups; each is read by a model of the others. As many as there are apps leaves out one at a time."`
}

const rowHelp = `A row names app, locale, value and category, and for risky ones action_label (true on buttons) and
strength (strong or weak), for benign ones subtype. A res folder holds values/strings.xml, its
translations and a labels.txt that says what its strings mean:

  app my-app
  send_button   message
  delete_all    delete
  draft_saved   benign status

Rows of one app are alike, so an app is only ever scored by a model that has not seen it.`

// rows reads all that is named.
func (f *rowFlags) rows(t *terminal) ([]study.Row, error) {
	var rows []study.Row
	for _, path := range f.Data {
		in, _, err := t.open(path)
		if err != nil {
			return nil, err
		}
		read, err := study.ReadRows(in)
		in.Close()
		if err != nil {
			return nil, usage(fmt.Errorf("%s: %w", path, err))
		}
		rows = append(rows, read...)
	}
	for _, dir := range f.Res {
		read, err := study.ReadResources(os.DirFS(filepath.Clean(dir)))
		if err != nil {
			return nil, usage(fmt.Errorf("%s: %w", dir, err), "see countersign lexicon train --help")
		}
		rows = append(rows, read...)
	}
	if len(rows) == 0 {
		return nil, usage(fmt.Errorf("no labelled strings are given"), "name them with --data FILE or --res DIR")
	}
	return rows, nil
}

// study makes the study of the rows and says how far it is.
func (f *rowFlags) study(t *terminal) (*study.Study, error) {
	rows, err := f.rows(t)
	if err != nil {
		return nil, err
	}
	progress := t.progress(fmt.Sprintf("of %d models trained", f.Groups))
	defer progress.end()
	s, err := study.Make(context.Background(), rows, study.Options{Groups: f.Groups, Progress: progress.set})
	if err != nil {
		return nil, usage(err)
	}
	return s, nil
}
