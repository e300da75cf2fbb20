// Package automation is the servers that agents start on a phone, as they run on
// a simulated one: uiautomator2's ([UIAutomator2]), Appium's ([UIA2]), mobilecli's
// ([Mobilecli]) and the [Portal]. Each answers over HTTP as the real one does, in
// the shapes of its answers and errors, and acts through package phone: what they
// press is pressed there and recorded there. Each call is noted as an event of
// kind "http".
//
// [Launches] says how they are started.
package automation
