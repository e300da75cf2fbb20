package statistical

import (
	"slices"

	"github.com/countersign/countersign/risk"
)

// Classes is how many classes a model tells apart.
const Classes = 16

// classes are the categories of the classes, in the order of the file format.
var classes = [Classes]risk.Category{
	risk.None, risk.Affirmative, risk.Money, risk.Message, risk.Call, risk.Publish, risk.Share, risk.Delete,
	risk.Install, risk.Uninstall, risk.Permission, risk.Account, risk.SignOut, risk.CancelService,
	risk.BlockReport, risk.Submit,
}

// firstRisky is the first class that is a consequence.
const firstRisky = 2

// ClassOf returns the class of a category, and false for one that the model
// does not know.
func ClassOf(c risk.Category) (int, bool) {
	i := slices.Index(classes[:], c)
	return i, i >= 0
}

// Category returns the category of a class from 0 to Classes-1.
func Category(class int) risk.Category { return classes[class] }
