// Package answer is the approvers' door: the JSON API that a terminal or another
// program of an approver's uses, and the pages of package inbox. Whoever comes in
// here may answer questions, so it is strict about who does.
//
// A request first passes an identity.Door: the exact Host, the origin, the
// content type. Then its credential is looked at: an approver's token
// (Authorization: Bearer csp_...) or, on the web page's listener, the cookie of a
// session. An agent's token is refused with 403. What has an effect is never a
// GET. A form of a page carries a token of its own ("csrf"), and a change that
// comes to the JSON API with a cookie carries one in the header Countersign-CSRF;
// GET /v1/status tells a session what it is.
//
//	GET    /v1/approvals?state=open|settled|all&limit=100
//	GET    /v1/approvals?wait=30s&seen=VERSION   answers when the list is no longer VERSION, or after the wait
//	GET    /v1/approvals/{id}                    with "offer", the grant that may be given with a yes
//	POST   /v1/approvals/{id}/approve            {"digest", "note", "grant": {"count", "seconds"}}, grant optional
//	POST   /v1/approvals/{id}/deny               {"digest", "note"}
//	POST   /v1/approvals/{id}/revoke             {"digest", "note"}, both optional; a grant given with the yes ends too
//	GET    /v1/grants?state=open|all             newest first; "left" is how often each may still be used
//	DELETE /v1/grants/{id}                       ends a grant at once
//	POST   /v1/freeze, /v1/unfreeze              {"note"}
//	GET    /v1/status
//	POST   /v1/policy/reload                     {}
//	POST   /v1/channels/{name}/test              {}: sends a sample, and says how the channel stands then
//	GET    /v1/agents, /v1/approvers
//	POST   /v1/agents                            {"name", "devices"}: the token is in the answer, and nowhere else
//	POST   /v1/approvers                         {"name"}: the same
//	DELETE /v1/agents/{name}, /v1/approvers/{name}
//	POST   /v1/sign-in                           {"approver"}: on the unix socket only
//
// On the web page's listener are the pages as well, for sessions only, with GET
// /events: server-sent events that say that the list has another version. The
// list is read once for every change, however many pages and streams show it.
//
// Open questions come with the nearest deadline first, settled ones and a list
// of all with the newest first. Errors are problem details (RFC 9457) with a
// stable word in "code"; a question that was in the way comes with its "state".
package answer
