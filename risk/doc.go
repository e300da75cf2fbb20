// Package risk is the vocabulary of Countersign as types: what an action could
// do (Category), how much an app can hurt its owner (Tier), what the guard
// decided (Outcome), and which guard that is owed to (Source, Delta).
//
// It imports nothing of the project, so every other package may use its words.
// Zero values are the cautious ones: the zero Category is Unknown, the zero
// Tier is High, the zero Outcome is Deny. Forgetting to fill a field in can
// make the guard ask or refuse, never let something through.
//
// All types here are plain values, safe for concurrent use.
package risk
