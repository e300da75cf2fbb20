// Drives a phone with adbkit, which speaks to the adb server at PORT.
import adbkit from '@devicefarmer/adbkit'
import { serve, collect } from './lines.mjs'

const client = adbkit.Adb.createClient({ host: '127.0.0.1', port: Number(process.env.PORT) })
const device = (job) => client.getDevice(job.serial)

await serve({
  devices: async () => (await client.listDevices()).map((d) => ({ serial: d.id, state: d.type })),
  version: () => client.version(),
  shell: async (job) => String(await collect(await device(job).shell(job.command))), // a list of words or a line
  screenshot: async (job) => (await collect(await device(job).screencap())).subarray(0, 8).toString('hex'),
  push: async (job) => {
    const transfer = await device(job).push(Buffer.from(job.text), job.path)
    await new Promise((resolve, reject) => { transfer.on('end', resolve); transfer.on('error', reject) })
  },
  pull: async (job) => String(await collect(await device(job).pull(job.path))),
  forward: (job) => device(job).forward(job.local, job.remote),
  forwards: (job) => device(job).listForwards(),
  tcp: async (job) => { (await device(job).openTcp(job.port)).end() },
  track: async () => {
    const tracker = await client.trackDevices()
    const first = await new Promise((resolve, reject) => { tracker.on('add', resolve); tracker.on('error', reject) })
    tracker.end()
    return first.id
  },
  reboot: (job) => device(job).reboot(),
  root: (job) => device(job).root(),
  tcpip: (job) => device(job).tcpip(5555)
})
process.exit(0)
