// Package lab scores the guard on labelled cases: recall on the rows where a
// careful owner wants to be asked, needless questions on the rest, for several
// policies side by side, with intervals clustered by app. A case is a tap on a
// tree, or a whole request such as the record keeps of a decision.
package lab
