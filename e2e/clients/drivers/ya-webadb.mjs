// Drives a phone with ya-webadb, which speaks to the adb server at PORT.
import { AdbServerClient } from '@yume-chan/adb'
import { AdbServerNodeTcpConnector } from '@yume-chan/adb-server-node-tcp'
import { AdbScrcpyClient, AdbScrcpyOptions3_3_3 } from '@yume-chan/adb-scrcpy'
import { readFileSync } from 'node:fs'
import { serve } from './lines.mjs'

const client = new AdbServerClient(new AdbServerNodeTcpConnector({ host: '127.0.0.1', port: Number(process.env.PORT) }))
const known = new Map()

async function adb (job) {
  if (!known.has(job.serial)) known.set(job.serial, await client.createAdb({ serial: job.serial }))
  return known.get(job.serial)
}

const stream = (data) => new ReadableStream({ start (c) { c.enqueue(new Uint8Array(data)); c.close() } })

async function bytes (stream) {
  const parts = []
  const reader = stream.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(Buffer.from(part.value))
  return Buffer.concat(parts)
}

await serve({
  devices: async () => (await client.getDevices()).map((d) => ({ serial: d.serial, state: d.state ?? 'device' })),
  version: () => client.getVersion(),
  features: async (job) => (await adb(job)).transport.clientFeatures.length,
  shell: async (job) => { // shell v2, with an exit code
    const p = await (await adb(job)).subprocess.shellProtocol.spawnWait(job.command)
    return { code: p.exitCode, out: Buffer.from(p.stdout).toString(), err: Buffer.from(p.stderr).toString() }
  },
  exec: async (job) => { // no protocol around it
    const out = await (await adb(job)).subprocess.noneProtocol.spawnWait(job.command)
    return Buffer.from(out).subarray(0, job.most ?? 4096).toString(job.encoding ?? 'utf8')
  },
  pull: async (job) => {
    const sync = await (await adb(job)).sync()
    try { return String(await bytes(sync.read(job.path))) } finally { await sync.dispose() }
  },
  push: async (job) => {
    const sync = await (await adb(job)).sync()
    try { await sync.write({ filename: job.path, file: stream(Buffer.from(job.text)) }) } finally { await sync.dispose() }
  },
  scrcpy: async (job) => { // its server, and the sockets to it
    const path = '/data/local/tmp/scrcpy-server.jar'
    await AdbScrcpyClient.pushServer(await adb(job), stream(readFileSync(job.server)), path)
    const options = new AdbScrcpyOptions3_3_3({ control: job.control, audio: false, tunnelForward: job.forward }, { version: '3.3.3' })
    try { await AdbScrcpyClient.start(await adb(job), path, options) } catch (e) {
      throw new Error([e.message, ...(e.output ?? [])].join(' '))
    }
  },
  reverse: async (job) => (await adb(job)).reverse.addExternal(job.remote, job.local),
  tcp: async (job) => { (await (await adb(job)).createSocket(`tcp:${job.port}`)).close() }
})
process.exit(0)
