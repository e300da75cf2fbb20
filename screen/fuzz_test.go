package screen

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// addSeeds gives a fuzz target the hand-written trees of testdata.
func addSeeds(f *testing.F, pattern string) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds for %s: %v", pattern, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

func FuzzReadUIAutomator(f *testing.F) {
	addSeeds(f, "*.xml")
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadUIAutomator(data, Limits{})
		checkScreen(t, s, err)
		compareWithOracle(t, string(data), false, s, err)
	})
}

func FuzzReadAppium(f *testing.F) {
	addSeeds(f, "*.xml")
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadAppium(data, Limits{})
		checkScreen(t, s, err)
		compareWithOracle(t, string(data), true, s, err)
	})
}

func FuzzReadJSON(f *testing.F) {
	addSeeds(f, "*.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadJSON(data, Limits{})
		checkScreen(t, s, err)
		compareWithJSON(t, string(data), s, err)
	})
}

// FuzzRead checks that Read answers what the reader answers that it picks.
func FuzzRead(f *testing.F) {
	addSeeds(f, "*.*")
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(data, Limits{})
		checkScreen(t, s, err)
		if text, _ := decode(string(data)); looksLikeJSON(text) {
			if tree, _ := ReadJSON(data, Limits{}); !reflect.DeepEqual(s, tree) {
				t.Fatal("ReadJSON answers differently")
			}
			return
		}
		dump, _ := ReadUIAutomator(data, Limits{})
		source, _ := ReadAppium(data, Limits{})
		if !reflect.DeepEqual(s, dump) && !reflect.DeepEqual(s, source) {
			t.Fatal("ReadUIAutomator and ReadAppium both answer differently")
		}
	})
}
