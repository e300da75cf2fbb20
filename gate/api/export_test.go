package api

import "context"

// WriteTallies writes what was counted, as happens once a minute.
func WriteTallies(g *Gate) { g.writeTallies(context.Background()) }

// CutScreenshot is cutScreenshot.
var CutScreenshot = cutScreenshot
