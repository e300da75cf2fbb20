// Package phone is a simulated Android phone: one screen, apps that are data,
// everything that reached it written down, and apart from that what happened in
// the world because of it ("paid 24.10 EUR to ...").
//
// The phone is what tests of a gate look at. A gate may claim what it likes;
// [Phone.Record] says what arrived, and [Phone.Effects] what came of it.
//
// Its apps are the files in apps, whose README says how they are written; their
// language is the phone's. A touch, a key, a text or an intent runs through the
// same few steps: what takes it ([Phone.Tap], [Phone.Key], ...), what that node's
// data says is done, and from then on the screen is laid out anew when somebody
// looks ([Phone.Dump], [Phone.Nodes], [Phone.Screenshot]).
//
// It knows nothing of ADB. Its shell is in phone/shell, its adbd in phone/adbd,
// the servers that agents start on it in phone/automation; all of them call the
// methods here and note what reached them with [Phone.Note].
//
// The phone knows nothing of the guard either: it decides by itself what a
// touch lands on, so that a mistake of the guard's is not made twice.
package phone
