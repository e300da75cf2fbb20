// Passkeys: adding one, and answering with one. What the guard sends and gets is
// the JSON of WebAuthn Level 3, which the browser reads and writes by itself.
(() => {
"use strict";
const problem = document.getElementById.bind(document, "passkey-problem");

function say(text) {
	const p = problem();
	if (!p) return;
	p.textContent = text;
	p.hidden = !text;
}

async function send(path, csrf, body) {
	const r = await fetch(path, {method: "POST", cache: "no-store", body: JSON.stringify(body),
		headers: {"Content-Type": "application/json", "Countersign-CSRF": csrf}});
	const said = await r.json().catch(() => ({}));
	if (!r.ok) throw new Error(said.detail || "The guard answered with " + r.status);
	return said;
}

const able = () => {
	if (!window.PublicKeyCredential || !PublicKeyCredential.parseRequestOptionsFromJSON) {
		throw new Error("This browser cannot do passkeys on this page.");
	}
};

// why puts what a browser says into words that help.
const why = e => e.name === "NotAllowedError" ? "The passkey was not given: it was cancelled, or took too long. Try again."
	: e.name === "InvalidStateError" ? "This device has a passkey for this page already." : e.message;

async function add(form) {
	const csrf = form.dataset.csrf;
	able();
	const options = await send("/v1/passkeys/begin", csrf, {});
	const made = await navigator.credentials.create({publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey)});
	await send("/v1/passkeys", csrf, {name: form.elements.name.value, answer: made.toJSON()});
	location.reload();
}

async function answer(form) {
	able();
	const options = await send(form.action.replace(/[/]answer$/, "/passkey").replace("/approvals/", "/v1/approvals/"),
		form.dataset.passkey, {digest: form.elements.digest.value});
	const given = await navigator.credentials.get({publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options.publicKey)});
	form.elements.passkey.value = JSON.stringify(given.toJSON());
	form.submit();
}

// The forms' own listeners come first: what they stop is not asked a passkey for.
document.addEventListener("submit", e => {
	const form = e.target, adding = form.id === "add-passkey";
	if (e.defaultPrevented || !adding && !form.dataset.passkey) return;
	e.preventDefault();
	say("");
	(adding ? add(form) : answer(form)).catch(e => {
		delete form.dataset.sent;
		delete form.dataset.held;
		say(why(e));
	});
});
})();
