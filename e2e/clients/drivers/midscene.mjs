// Drives a phone with Midscene's agent for Android, over the adb server at PORT.
// The model that it asks where things are is in this program: it answers with the
// places that the job gives, one after the other.
import http from 'node:http'
import { serve } from './lines.mjs'

let places = []
const model = http.createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({
      id: '1', object: 'chat.completion', created: 1, model: 'script',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify({ bbox: places.shift() }) } }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    }))
  })
})
await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve))
Object.assign(process.env, {
  MIDSCENE_MODEL_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
  MIDSCENE_MODEL_API_KEY: 'none',
  MIDSCENE_MODEL_NAME: 'script',
  MIDSCENE_MODEL_FAMILY: 'doubao-vision',
  MIDSCENE_ADB_REMOTE_HOST: '127.0.0.1',
  MIDSCENE_ADB_REMOTE_PORT: process.env.PORT
})
console.log = console.error
const { AndroidAgent, AndroidDevice } = await import('@midscene/android')

let device, agent

// look does something for which the model is asked where things are.
const look = (act) => async (job) => { places = job.places ?? []; await act(job) }

await serve({
  open: async (job) => {
    device = new AndroidDevice(job.serial)
    await device.connect()
    agent = new AndroidAgent(device, { generateReport: false })
    return device.size()
  },
  screenshot: async () => (await device.screenshotBase64()).slice(0, 40),
  launch: (job) => agent.launch(job.uri),
  tap: look((job) => agent.aiTap(job.what)),
  input: look((job) => agent.aiInput(job.what, { value: job.text })),
  drag: look((job) => agent.callActionInActionSpace('DragAndDrop', { from: { prompt: job.what }, to: { prompt: 'its other end' } })),
  back: () => agent.back(),
  shell: (job) => agent.runAdbShell(job.command)
})
process.exit(0)
