// What the pages do beyond links and forms. Without it they are loaded by hand and
// everything works. It follows GET /events, and when that says that something has
// changed it fetches the part of its own page that may have. It never makes markup
// out of text, and nothing that a person could be about to press moves under it.
(() => {
"use strict";
const root = document.documentElement;
root.classList.add("js");
const $ = id => document.getElementById(id);
const say = (node, text) => { if (node && node.textContent !== text) node.textContent = text; };
const pause = ms => new Promise(done => setTimeout(done, ms));
// The kind of page; the version of the list and the time of its newest question;
// the guard's clock minus ours.
let page, seen, newest, ahead;

// Time ------------------------------------------------------------------------

// left says how long there is; the words are those of the pages.
function left(ms) {
	const s = Math.floor(ms / 1000), two = n => String(n).padStart(2, "0");
	if (s <= 0) return "time is over";
	if (s < 60) return s + " s left";
	if (s < 3600) return Math.floor(s / 60) + " min " + two(s % 60) + " s left";
	return Math.floor(s / 3600) + " h " + two(Math.floor(s % 3600 / 60)) + " min left";
}

// tick counts down what is in view, and now and then all of it: with hundreds in
// the list that is most of the work of a page.
let ticks = 0;
function tick() {
	const now = Date.now() + ahead, all = ticks++ % 15 === 0;
	const inView = t => { const r = t.getBoundingClientRect(); return r.bottom > 0 && r.top < innerHeight; };
	const times = Array.from(document.querySelectorAll("time[data-until]")).filter(t => all || inView(t));
	for (const t of times) say(t, left(Date.parse(t.dataset.until) - now));
}

// local puts the reader's time in the place of UTC, which stays as the title.
function local(part) {
	for (const t of part.querySelectorAll("time[data-at]")) {
		const at = new Date(t.dataset.at);
		if (isNaN(at)) continue;
		t.title = t.textContent;
		say(t, at.toLocaleString(undefined, {dateStyle: "medium", timeStyle: "medium"}));
	}
}

const minute = at => at.toLocaleTimeString(undefined, {hour: "2-digit", minute: "2-digit"});

// The count -------------------------------------------------------------------

function count(n) {
	const title = document.title.replace(/^\(\d+\) /, "");
	if (document.title !== (n ? "(" + n + ") " : "") + title) document.title = (n ? "(" + n + ") " : "") + title;
	const icon = $("icon"), href = "/icon.svg?n=" + n;
	if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
	say($("count"), String(n));
	if ($("count")) $("count").hidden = !n;
}

// The stream ------------------------------------------------------------------

const quiet = 32000; // two heartbeats are missing
const answered = 10000; // within which a guard that runs begins to answer
const talk = "BroadcastChannel" in window ? new BroadcastChannel("countersign") : null;

// hear takes what the stream says, in this page or in the one that follows it.
function hear(m) {
	if (m.lost) return lost(m.lost);
	$("lost").hidden = true;
	if (!m.version) return hurry();
	const fresh = m.newest > newest;
	newest = m.newest;
	if (m.version === seen) return;
	seen = m.version;
	count(m.waiting);
	if (fresh) asked(m.waiting);
	refresh();
}

function tell(m) {
	hear(m);
	if (talk) talk.postMessage(m);
}

function lost(text) {
	const p = $("lost");
	if (p.hidden || p.textContent !== text) { p.hidden = false; say(p, text); }
}

// follow keeps the stream open for as long as the page is.
async function follow() {
	let alive = new Date(), failed = 0;
	for (;;) {
		const status = await stream(() => { alive = new Date(); failed = 0; }).catch(e => e.name === "AbortError" ? -1 : 0);
		if (status === 401) {
			tell({lost: "This browser is signed out; answers given now will not arrive."});
		} else if (status === 429) {
			hear({lost: "Too many pages follow the list; this one does not. Close some of them."});
		} else if (failed++ || status < 0) {
			tell({lost: "Countersign cannot be reached since " + minute(alive) + "; answers given now will not arrive."});
		}
		await pause(failed > 1 || status >= 400 ? 3000 : 300);
	}
}

// stream reads events until they end, and returns the status of the answer.
async function stream(live) {
	const stop = new AbortController();
	let watch = setTimeout(() => stop.abort(), answered);
	try {
		const r = await fetch("/events", {headers: {"Last-Event-ID": seen}, signal: stop.signal, cache: "no-store"});
		if (!r.ok) return r.status;
		live();
		tell({});
		const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
		for (let rest = "";;) {
			const {done, value} = await reader.read();
			if (done) return r.status;
			live();
			clearTimeout(watch);
			watch = setTimeout(() => stop.abort(), quiet);
			const events = (rest + value).split("\n\n");
			rest = events.pop();
			events.forEach(event);
		}
	} finally {
		clearTimeout(watch);
	}
}

function event(text) {
	const of = name => (text.match(new RegExp("^" + name + ": (.*)$", "m")) || [])[1];
	if (of("event") !== "list") return;
	const {waiting, newest} = JSON.parse(of("data"));
	tell({version: of("id"), waiting, newest});
}

// One page of a browser follows the stream and tells the others: a browser opens
// six connections to a host, and more pages than that are open on a busy day.
function listen() {
	if (!talk || !navigator.locks) return void follow();
	talk.onmessage = m => hear(m.data);
	navigator.locks.request("countersign-events", follow);
}

// Parts of the page -----------------------------------------------------------

// part fetches a page and has the browser read it, without running anything. It
// yields the element with an id, which is to be there within some time.
function part(address, id, within) {
	return new Promise((done, fail) => {
		const x = new XMLHttpRequest();
		x.open("GET", address);
		x.responseType = "document";
		x.timeout = within;
		x.onload = () => {
			const node = x.status === 200 && x.response && x.response.getElementById(id);
			if (node) done(node); else fail(x.status);
		};
		x.onerror = x.ontimeout = () => fail(0);
		x.send();
	});
}

const soon = 5000; // after which a part that is not there yet is late
const within = 15000; // which one has at first, and each time twice as long
const again = 1000; // after which one that failed is tried again, and so on

let fetching = false, wanted = false, hurry = () => {};
const rest = ms => new Promise(done => { hurry = done; setTimeout(done, ms); });

// refresh fetches the part of the page that has changed, until it is there. What
// fails is tried again, later every time, or when the stream is back; and meanwhile
// the page says since when it is not up to date.
async function refresh() {
	wanted = true;
	if (fetching) return;
	fetching = true;
	for (let failed = 0, since = new Date(); wanted;) {
		wanted = false;
		const slow = setTimeout(late, soon, since);
		try {
			await changed(Math.min(within * 2 ** failed, 120000));
			failed = 0;
			since = new Date();
			$("late").hidden = true;
		} catch {
			wanted = true;
			late(since);
			await rest(Math.min(again * 2 ** failed++, 30000) * (.5 + Math.random() / 2));
		} finally {
			clearTimeout(slow);
		}
	}
	fetching = false;
}

// changed takes over what may have changed.
async function changed(time) {
	if (page === "list") board(await part("/?part=list" + (whole() ? "&show=all" : ""), "board", time));
	if (page === "card" && $("bar")) standing(await part(location.pathname + "?part=state", "standing", time));
}

function late(since) {
	const p = $("late");
	say(p, "This page is not up to date since " + minute(since) + "; it is being fetched again.");
	p.hidden = false;
}

// whole reports whether the page was asked for all questions, however many.
const whole = () => new URLSearchParams(location.search).get("show") === "all";

// The list --------------------------------------------------------------------

let next = null, pressed = -Infinity;

function board(fresh) {
	next = document.adoptNode(fresh);
	settle();
}

const ids = b => new Map(Array.from(b.querySelectorAll("#items li"), li => [li.dataset.id, li]));

// idle reports whether nobody is about to press something in the list.
function idle() {
	const b = $("board");
	return !b.contains(document.activeElement) && !b.querySelector("li:hover, a:hover") && performance.now() - pressed > 2000;
}

// settle shows the new list, or says that there is one.
function settle() {
	if (!next) return;
	if (idle()) return show();
	const now = ids($("board")), then = ids(next);
	// Where not all are listed, one that is no longer there may still be open.
	const ended = id => !("cut" in next.dataset) || !!next.querySelector(".settled li[data-id=" + CSS.escape(id) + "]");
	for (const [id, li] of now) {
		const gone = !then.has(id) && ended(id);
		if (gone !== li.classList.contains("gone")) {
			li.classList.toggle("gone", gone);
			li.querySelector("a").setAttribute("aria-label", (gone ? "Settled meanwhile: " : "") + li.querySelector("a").textContent);
		}
	}
	let more = 0;
	for (const id of then.keys()) if (!now.has(id)) more++;
	say($("more").firstElementChild, more ? more + " more: show" : "The list has changed: show");
	$("more").hidden = false;
}

function show() {
	const old = $("board"), list = old.querySelector("#items"), fresh = next.querySelector("#items");
	local(next);
	if (list && fresh) {
		patch(list, fresh);
		for (const name of old.getAttributeNames()) if (!next.hasAttribute(name)) old.removeAttribute(name);
		for (const name of next.getAttributeNames()) old.setAttribute(name, next.getAttribute(name));
		old.lastElementChild.replaceWith(next.lastElementChild);
	} else {
		old.replaceWith(next);
	}
	next = null;
	$("more").hidden = true;
	tick();
}

// patch makes one list of open questions the other. What is in both stays where it
// is, since to move hundreds of items is slow; so is what follows the list.
function patch(list, fresh) {
	const was = ids(list.parentNode), kept = new Set();
	const items = Array.from(fresh.children, li => {
		const same = was.get(li.dataset.id);
		if (!same || same.dataset.v !== li.dataset.v || same.classList.contains("gone")) return li;
		kept.add(same);
		return same;
	});
	for (const li of Array.from(list.children)) if (!kept.has(li)) li.remove();
	let at = list.firstElementChild;
	for (const li of items) {
		if (li === at) at = at.nextElementSibling;
		else list.insertBefore(li, at);
	}
	for (const one of Array.from(list.parentNode.children)) if (one !== list) one.remove();
	while (fresh.previousElementSibling) list.parentNode.prepend(fresh.previousElementSibling);
	while (fresh.nextElementSibling) list.parentNode.append(fresh.nextElementSibling);
}

// keys go down and up the list with j and k, while the list has the focus.
function keys(e) {
	if (e.ctrlKey || e.altKey || e.metaKey || e.key !== "j" && e.key !== "k") return;
	const all = Array.from(document.querySelectorAll("main .items a.to")), at = document.activeElement;
	if (at !== document.body && !at.closest("main .items, #open")) return;
	const i = all.indexOf(at.closest("li") ? at.closest("li").querySelector("a.to") : at);
	const to = all[e.key === "j" ? i + 1 : Math.max(i - 1, 0)];
	if (to) { to.focus(); e.preventDefault(); }
}

// The card --------------------------------------------------------------------

// standing takes over where the question stands. Its buttons stay where they are;
// when they are worth nothing any more they cannot be pressed.
function standing(fresh) {
	const old = $("standing");
	if (fresh.dataset.v === old.dataset.v) return;
	const node = document.importNode(fresh, true);
	local(node);
	old.replaceWith(node);
	tick();
	if (fresh.dataset.state === old.dataset.state) return;
	for (const b of $("bar").querySelectorAll("button, input, summary")) b.disabled = true;
	say($("news"), "This question has moved on: " + node.textContent);
	say($("more").firstElementChild, "This question has moved on: show");
	$("more").hidden = false;
}

// hold makes a button that has to be held: with a finger, the mouse, Enter or the
// space bar. What is typed instead stays possible.
const holdFor = 1200;
function hold(form) {
	const button = form.querySelector("button.hold"), word = $("sure-by-word"), byWord = $("by-word"), sure = $("sure");
	let timer = 0, byHand = false;
	say(button.firstElementChild, "Hold to approve");
	if (word) {
		word.hidden = true;
		sure.required = false;
		byWord.hidden = false;
		byWord.onclick = () => {
			byHand = true;
			word.hidden = false;
			sure.required = true;
			byWord.hidden = true;
			say(button.firstElementChild, "Approve");
			sure.focus();
		};
	}
	const stop = () => {
		clearTimeout(timer);
		timer = 0;
		button.classList.remove("held");
	};
	const done = () => {
		stop();
		if (sure) sure.value = "yes";
		form.dataset.held = "yes";
		form.requestSubmit(button);
	};
	const start = () => {
		if (timer || byHand || button.disabled || !armed() || !form.reportValidity()) return;
		button.classList.add("held");
		timer = setTimeout(done, holdFor);
	};
	const key = e => e.key === "Enter" || e.key === " ";
	button.onpointerdown = e => { if (e.button === 0) start(); };
	button.onkeydown = e => { if (key(e) && !byHand) { e.preventDefault(); if (!e.repeat) start(); } };
	button.onkeyup = e => { if (key(e) && !byHand) { e.preventDefault(); stop(); } };
	for (const over of ["pointerup", "pointerleave", "pointercancel", "blur"]) button.addEventListener(over, stop);
	button.oncontextmenu = e => e.preventDefault();
	document.addEventListener("visibilitychange", stop);
	form.addEventListener("submit", e => { if (!byHand && form.dataset.held !== "yes") e.preventDefault(); });
}

// armed is false for a moment after a page is shown: the second press of a double
// click on the page before is no answer.
const armed = () => root.classList.contains("armed");

function once(form) {
	form.addEventListener("submit", e => {
		if (!armed() || form.dataset.sent) return e.preventDefault();
		if (!e.defaultPrevented) form.dataset.sent = "yes";
	});
}

// Sound -----------------------------------------------------------------------

const soundKey = "countersign.sound";
let audio;
const soundOn = () => { try { return localStorage.getItem(soundKey) === "on"; } catch { return false; } };

function wake() {
	audio = audio || new AudioContext();
	if (audio.state === "suspended") audio.resume();
}

// chime is two soft notes. One page of a browser plays them.
function chime() {
	if (!audio || audio.state !== "running") return;
	[[523.25, 0], [783.99, .16]].forEach(([pitch, after]) => {
		const tone = audio.createOscillator(), gain = audio.createGain(), at = audio.currentTime + after;
		tone.frequency.value = pitch;
		gain.gain.setValueAtTime(0, at);
		gain.gain.linearRampToValueAtTime(.07, at + .02);
		gain.gain.exponentialRampToValueAtTime(.0005, at + .5);
		tone.connect(gain).connect(audio.destination);
		tone.start(at);
		tone.stop(at + .55);
	});
}

function sound() {
	const b = $("sound");
	if (!b || !("AudioContext" in window)) return;
	const shows = () => { b.setAttribute("aria-pressed", String(soundOn())); say(b.lastElementChild, soundOn() ? "♪ on" : "♪ off"); };
	b.hidden = false;
	b.title = "A soft sound when a new question comes";
	b.onclick = () => {
		try { localStorage.setItem(soundKey, soundOn() ? "off" : "on"); } catch { /* not remembered, not on */ }
		shows();
		if (soundOn()) { wake(); chime(); }
	};
	addEventListener("storage", shows);
	// A browser lets nothing sound before its first press.
	for (const press of ["pointerdown", "keydown"]) addEventListener(press, () => { if (soundOn()) wake(); }, {once: true});
	if (soundOn()) wake();
	shows();
}

// asked tells of a new question by ear, and to a screen reader.
function asked(n) {
	say($("news"), "A new question. " + n + " waiting.");
	if (!soundOn() || !audio || audio.state !== "running") return;
	if (!navigator.locks) return chime();
	navigator.locks.request("countersign-sound", {ifAvailable: true}, async mine => {
		if (!mine) return;
		chime();
		await pause(1000);
	});
}

// -----------------------------------------------------------------------------

// pops closes what was opened in the header or the bar, by Escape or elsewhere.
function pops(e) {
	for (const d of document.querySelectorAll("details.pop[open], details.grant[open]")) {
		if (e.type === "keydown" ? e.key !== "Escape" : d.contains(e.target)) continue;
		d.open = false;
		if (e.type === "keydown") d.querySelector("summary").focus();
	}
}

document.addEventListener("DOMContentLoaded", () => {
	({page, seen} = document.body.dataset);
	newest = Number(document.body.dataset.newest);
	ahead = Number(document.body.dataset.now) - Date.now();
	setTimeout(() => root.classList.add("armed"), 500);
	addEventListener("pageshow", e => { if (e.persisted) location.reload(); });
	local(document);
	tick();
	setInterval(() => { tick(); settle(); }, 1000);
	document.querySelectorAll("form[data-hold]").forEach(hold);
	document.querySelectorAll("#bar form").forEach(once);
	sound();
	addEventListener("keydown", pops);
	addEventListener("pointerdown", pops);
	if (page === "list") {
		addEventListener("keydown", keys);
		addEventListener("pointerdown", e => { if (e.target.closest("#board")) pressed = performance.now(); });
		addEventListener("pointerup", e => { if (e.target.closest("#board")) pressed = performance.now(); });
	}
	$("more").firstElementChild.onclick = () => {
		if (page === "card") return location.assign(location.pathname);
		if (!next) return;
		show();
		$("open").focus();
	};
	listen();
});
})();
