// Package study trains the statistical layer of the lexicon and scores the
// lexicon on labelled interface strings: always on apps that the model which is
// asked has not seen.
package study
