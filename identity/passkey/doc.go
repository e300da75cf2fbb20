// Package passkey lets an approver show to be there in person: adding a passkey
// to a browser or a security key, and answering with one. The ceremonies are
// those of WebAuthn (W3C, Level 3), done by github.com/go-webauthn/webauthn;
// here is what they are about and for how long they are good.
//
// An answer is bound to what it answers: the challenge of [Keeper.Ask] is kept
// with a text that says what the answer is for, such as a question and its
// digest, and counts for that only, once, for three minutes.
package passkey
