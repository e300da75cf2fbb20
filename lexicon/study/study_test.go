package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/lexicon/statistical"
	"github.com/countersign/countersign/risk"
)

// invented are strings of six apps in a language that no term file has, whose
// verbs end in "-ora" when they act and in "-orit" when they have acted.
func invented() []Row {
	stems := []struct{ stem, category string }{
		{"zebl", "delete"}, {"vronk", "send"}, {"klumf", "money"}, {"prast", "share"},
	}
	objects := []string{"muri", "talu", "neso", "wibe", "gopa", "fasti"}
	var rows []Row
	for app := range 6 {
		name := fmt.Sprint("app", app)
		for i, s := range stems {
			object := objects[(app+i)%len(objects)]
			rows = append(rows,
				Row{App: name, Locale: "xx", Value: s.stem + "ora " + object, Category: s.category, ActionLabel: true, Strength: "strong", Subtype: "action"},
				Row{App: name, Locale: "xx", Value: s.stem + "orit " + object, Category: "benign", Subtype: "status"},
				Row{App: name, Locale: "xx", Value: object + "l", Category: "benign", Subtype: "plain"})
		}
	}
	return rows
}

// fewTerms is a lexicon that knows next to nothing.
func fewTerms(t *testing.T) *lexicon.Lexicon {
	t.Helper()
	l, err := lexicon.New(fstest.MapFS{"en.txt": {Data: []byte("language en\n[delete act]\ndelete\n[known]\nchat\n")}})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestStudyIsTheSameEachTime(t *testing.T) {
	var models [][]byte
	var summaries []string
	for _, workers := range []int{1, 3} {
		s, err := Make(context.Background(), invented(), Options{Lexicon: fewTerms(t), Groups: 3, Workers: workers, Features: 5000, Training: statistical.Options{Epochs: 2}})
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, s.Artefact())
		text, err := json.Marshal(s.Summarize())
		if err != nil {
			t.Fatal(err)
		}
		summaries = append(summaries, string(text))
	}
	if !bytes.Equal(models[0], models[1]) {
		t.Error("the model depends on how many workers there are")
	}
	if summaries[0] != summaries[1] {
		t.Errorf("so do the figures:\n%s\n%s", summaries[0], summaries[1])
	}
}

// The grammar of the invented language is learned from other apps.
func TestStudyLearnsFromOtherApps(t *testing.T) {
	told := 0
	s, err := Make(context.Background(), invented(), Options{Lexicon: fewTerms(t), Groups: 6, Workers: 1, Progress: func(int) { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	if told != 6 || s.Apps != 6 || len(s.Outcomes) != 72 {
		t.Fatalf("%d models, %d apps, %d rows", told, s.Apps, len(s.Outcomes))
	}
	sum := s.Summarize()
	p := sum.NotEnglish
	if p.Risky != 24 || p.Harmless != 48 {
		t.Fatalf("%d risky, %d harmless", p.Risky, p.Harmless)
	}
	if last := p.At[len(p.At)-1]; last.Alone < 90 {
		t.Errorf("the model alone finds %.0f %% at %.0f %% false alarms", last.Alone, last.FalseAlarms)
	}
	var report, page strings.Builder
	for i := 1; i < len(sum.Steps); i++ {
		a, b := sum.Steps[i-1], sum.Steps[i]
		if b.Certainty <= a.Certainty || b.Recall > a.Recall || b.Alarms > a.Alarms || b.Plain > a.Plain {
			t.Errorf("more certainty finds more: %+v, then %+v", a, b)
		}
	}
	if len(sum.Steps) != 13 {
		t.Errorf("%d steps", len(sum.Steps))
	}
	WriteReport(&report, sum)
	WritePage(&page, sum)
	for _, want := range []string{"72 rows of 6 apps in 6 groups", "delete", "status", "xx"} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, report.String())
		}
	}
	if !strings.Contains(page.String(), "# Languages\n") || strings.Contains(page.String(), "NaN") {
		t.Errorf("the page:\n%s", page.String())
	}
}

func TestStudyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Make(ctx, invented(), Options{Lexicon: fewTerms(t), Groups: 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestReadRows(t *testing.T) {
	good := `{"app":"a","locale":"de","value":"Senden","category":"send","action_label":true,"strength":"strong"}` + "\n\n"
	rows, err := ReadRows(strings.NewReader(good))
	if err != nil || len(rows) != 1 {
		t.Fatalf("%v, %v", rows, err)
	}
	if c, counts := rows[0].Class(); c != risk.Message || !counts {
		t.Errorf("class %s, %v", c, counts)
	}
	tried := 0
	for _, bad := range []string{"no json", `{"app":"a","value":"x","category":"send"}`, good + "{"} {
		if _, err := ReadRows(strings.NewReader(bad)); !errors.Is(err, ErrRow) {
			t.Errorf("%q: %v", bad, err)
		}
		tried++
	}
	if tried != 3 {
		t.Fatal(tried)
	}
}

func TestReadResources(t *testing.T) {
	res := fstest.MapFS{
		"labels.txt": {Data: []byte("# mine\napp my-app\nsend_it message\nclear delete weak\nheading delete title\nsaved benign status\nhello benign\n")},
		"values/strings.xml": {Data: []byte(`<resources><string name="send_it">Don\'t <b>wait</b></string><string name="clear">Clear</string>
			<string name="heading">Delete</string><string name="other">Other</string></resources>`)},
		"values-pt-rBR/strings.xml":       {Data: []byte(`<resources><string name="saved">"Salvo  já"</string></resources>`)},
		"values-b+sr+Latn/strings.xml":    {Data: []byte(`<resources><string name="hello">Zdravo</string></resources>`)},
		"values-sw600dp-land/strings.xml": {Data: []byte(`<resources><string name="hello">no</string></resources>`)},
	}
	rows, err := ReadResources(res)
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{App: "my-app", Key: "hello", Locale: "sr-Latn", Value: "Zdravo", Category: "benign", Subtype: "plain"},
		{App: "my-app", Key: "saved", Locale: "pt-BR", Value: "Salvo já", Category: "benign", Subtype: "status"},
		{App: "my-app", Key: "send_it", Locale: "en", Value: "Don't wait", Category: "message", ActionLabel: true, Strength: "strong", Subtype: "action"},
		{App: "my-app", Key: "clear", Locale: "en", Value: "Clear", Category: "delete", ActionLabel: true, Strength: "weak", Subtype: "action"},
		{App: "my-app", Key: "heading", Locale: "en", Value: "Delete", Category: "delete", Strength: "strong", Subtype: "action"},
	}
	if fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("got\n%v, want\n%v", rows, want)
	}
	for name, labels := range map[string]string{
		"no app": "send_it message\n", "no such category": "app a\nsend_it sending\n", "too many words": "app a\nsend_it benign a b\n", "nothing": "",
	} {
		res["labels.txt"] = &fstest.MapFile{Data: []byte(labels)}
		if _, err := ReadResources(res); !errors.Is(err, ErrResources) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The calibration finds the line that the odds were drawn from.
func TestCalibration(t *testing.T) {
	var odds []float64
	var risky []bool
	for x := -4.0; x <= 4; x += 0.05 {
		p := 1 / (1 + math.Exp(-0.5*x+1))
		for n := range 200 {
			odds, risky = append(odds, x), append(risky, float64(n) < 200*p)
		}
	}
	c := fit(odds, risky)
	if math.Abs(float64(c.Slope)-0.5) > 0.03 || math.Abs(float64(c.Shift)+1) > 0.05 {
		t.Errorf("%+v, want 0.5 and -1", c)
	}
	if c := fit(nil, nil); c.Slope != 1 || c.Shift != 0 {
		t.Errorf("without rows: %+v", c)
	}
}

func TestFoldsAreEven(t *testing.T) {
	rows := invented()
	group := folds(rows, appsOf(rows), 3)
	var n [3]int
	for _, g := range group {
		n[g]++
	}
	if n != [3]int{2, 2, 2} {
		t.Errorf("%v", n)
	}
}
