// What the drivers have in common: a job a line comes in on standard input, its
// result goes out as a line. A job is {"do": NAME, ...}; a result is {"ok": ...}
// or {"error": MESSAGE}. The drivers do what they are told with the library they
// are named after, and nothing else, so that what reaches the phone is the
// library's own doing.
import readline from 'node:readline'

export async function serve (jobs) {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (!line.trim()) continue
    const job = JSON.parse(line)
    let result
    try {
      if (!jobs[job.do]) throw new Error(`no job is called ${job.do}`)
      result = { ok: (await jobs[job.do](job)) ?? null }
    } catch (e) {
      result = { error: String(e?.message ?? e) }
    }
    process.stdout.write(JSON.stringify(result) + '\n')
  }
}

export async function collect (stream) {
  const parts = []
  for await (const part of stream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}
