// Package screen reads what a device showed and finds what an action lands on.
//
// Readers turn uiautomator XML ([ReadUIAutomator]), Appium page source
// ([ReadAppium]) and the project's own JSON tree ([ReadJSON]) into one
// [Screen]; [Read] tells them apart. Input is bounded in size, depth and node
// count ([Limits]), and what cannot be read is an unknown screen with a reason,
// never an empty one.
//
// [Screen.At], [Screen.ByIndex] and [Screen.Focus] find a node, and [Screen.Target]
// gathers its signals: its own labels, the labels of descendants that belong to
// it, its row, its dialog, its form and its role. Rules for hit-testing and
// roles follow sections 4.1 to 4.4 of the design; what a label means is not
// decided here.
package screen
