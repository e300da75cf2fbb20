package study

import (
	"context"
	"slices"
	"sync"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/lexicon/statistical"
	"github.com/countersign/countersign/risk"
)

// Options are how a study is made. The zero value of a field is its default.
type Options struct {
	// Groups is into how many groups the apps are dealt out: each is scored by a
	// model that was trained on the others. 12; as many as there are apps, or
	// more, leaves out one app at a time.
	Groups int
	// Workers is how many models are trained at once; 2. The result is the same
	// for any number.
	Workers int
	// Features is how many features a model keeps; 240,000.
	Features int
	// Lexicon has the terms; [lexicon.Default].
	Lexicon *lexicon.Lexicon
	// Training is passed on.
	Training statistical.Options
	// Progress, when not nil, is told the number of models trained so far.
	Progress func(models int)
}

func (o Options) withDefaults(apps int) Options {
	if o.Groups <= 0 {
		o.Groups = 12
	}
	o.Groups = min(o.Groups, apps)
	if o.Workers <= 0 {
		o.Workers = 2
	}
	if o.Features <= 0 {
		o.Features = 240_000
	}
	if o.Lexicon == nil {
		o.Lexicon = lexicon.Default()
	}
	if o.Progress == nil {
		o.Progress = func(int) {}
	}
	return o
}

// An Outcome is how one row that counts was read, by models that had not seen
// its app.
type Outcome struct {
	Row   *Row
	Want  risk.Category // None for a harmless row
	Given Reading       // the locale of the row was given
	Blind Reading       // it was withheld
	// Alone is the probability that the model gives the text by itself, asked or
	// not.
	Alone float32
}

// Reading is what the two layers make of a row.
type Reading struct {
	// Terms is what the terms say; None when it is not risky.
	Terms risk.Category
	// Guess is what the model would say, at that probability; None where it is
	// not asked.
	Guess       risk.Category
	Probability float32
}

// At returns the category at an operating point.
func (r *Reading) At(certainty float32) risk.Category {
	if r.Terms == risk.None && r.Probability >= certainty {
		return r.Guess
	}
	return r.Terms
}

// Study is labelled strings with the outcomes of their apps.
type Study struct {
	Rows        []Row
	Outcomes    []Outcome
	Calibration statistical.Calibration
	Apps        int
	Groups      int

	learnable *learnable
	options   Options
}

// Make trains one model for each group of apps on the others and reads the
// group's rows with it. It takes about as long as training so many models.
func Make(ctx context.Context, rows []Row, o Options) (*Study, error) {
	o = o.withDefaults(len(appsOf(rows)))
	l := newLearnable(rows, o.Lexicon)
	s := &Study{Rows: rows, Apps: len(l.apps), Groups: o.Groups, learnable: l, options: o}
	group := folds(rows, l.apps, o.Groups)
	parts := make([][]Outcome, o.Groups)
	var mutex sync.Mutex
	done, next := 0, 0
	var workers sync.WaitGroup
	for range o.Workers {
		workers.Go(func() {
			for {
				mutex.Lock()
				g := next
				next++
				mutex.Unlock()
				if g >= o.Groups || ctx.Err() != nil {
					return
				}
				parts[g] = s.readGroup(rows, group, g)
				mutex.Lock()
				done++
				o.Progress(done)
				mutex.Unlock()
			}
		})
	}
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.Outcomes = slices.Concat(parts...)
	s.calibrate()
	return s, nil
}

// readGroup trains without a group of apps and reads their rows.
func (s *Study) readGroup(rows []Row, group []int, g int) []Outcome {
	o := s.options.Training
	for app := range group {
		if group[app] == g {
			o.LeaveOut = append(o.LeaveOut, uint16(app))
		}
	}
	model, err := statistical.Parse(s.learnable.corpus.Train(o).Encode(s.options.Features, statistical.Calibration{Slope: 1}))
	if err != nil {
		panic("study: a model that was just written: " + err.Error())
	}
	reader := newRowReader(s.options.Lexicon, model)
	var outcomes []Outcome
	for i := range rows {
		app, _ := slices.BinarySearch(s.learnable.apps, rows[i].App)
		if want, counts := rows[i].Class(); group[app] == g && counts && want != risk.Affirmative {
			outcomes = append(outcomes, reader.read(&rows[i], want))
		}
	}
	return outcomes
}

// rowReader reads rows with each layer.
type rowReader struct {
	terms, both *lexicon.Lexicon
	model       *statistical.Model
	features    []uint32
}

func newRowReader(lex *lexicon.Lexicon, model *statistical.Model) *rowReader {
	return &rowReader{terms: lex.WithModel(nil), both: lex.WithModel(model), model: model}
}

func (r *rowReader) read(row *Row, want risk.Category) Outcome {
	r.features = r.terms.AppendFeatures(r.features[:0], row.Value)
	var tally statistical.Tally
	for _, f := range r.features {
		r.model.Add(&tally, f)
	}
	return Outcome{Row: row, Want: want, Alone: r.model.Judge(&tally, len(r.features)).Probability,
		Given: r.layers(row.Value, row.Locale), Blind: r.layers(row.Value, "")}
}

// always is a certainty that the model reaches whenever it is asked.
const always = 1e-12

func (r *rowReader) layers(text, locale string) Reading {
	q := lexicon.Query{Text: text, Language: locale, Certainty: always}
	both := r.both.Read(q)
	switch {
	case !both.Category.Risky():
		return Reading{Terms: risk.None, Guess: risk.None}
	case both.Hits[0].Layer == risk.LayerStatistical:
		return Reading{Terms: risk.None, Guess: both.Category, Probability: both.Score}
	}
	return Reading{Terms: both.Category, Guess: risk.None}
}

// Artefact trains on all rows and returns the model as it is shipped, with the
// calibration of the study.
func (s *Study) Artefact() []byte {
	return s.learnable.corpus.Train(s.options.Training).Encode(s.options.Features, s.Calibration)
}
