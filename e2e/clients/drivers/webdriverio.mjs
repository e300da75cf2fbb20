// Drives a phone with webdriverio through an Appium server at APPIUM (its port),
// which drives it with the uiautomator2 driver over the adb server at ADB_PORT.
import { remote } from 'webdriverio'
import { serve } from './lines.mjs'

let browser

await serve({
  open: async (job) => {
    browser = await remote({
      hostname: '127.0.0.1',
      port: Number(process.env.APPIUM),
      logLevel: 'error',
      connectionRetryCount: job.retries ?? 0,
      connectionRetryTimeout: 180000,
      capabilities: {
        platformName: 'Android',
        'appium:automationName': 'UiAutomator2',
        'appium:udid': job.serial,
        'appium:adbPort': Number(process.env.ADB_PORT),
        'appium:skipServerInstallation': true,
        'appium:skipDeviceInitialization': true,
        'appium:newCommandTimeout': 600,
        ...job.capabilities
      }
    })
    return browser.sessionId
  },
  source: async () => browser.getPageSource(),
  screenshot: async () => (await browser.takeScreenshot()).length,
  click: async (job) => (await browser.$(job.find)).click(),
  type: async (job) => (await browser.$(job.find)).setValue(job.text),
  text: async (job) => (await browser.$(job.find)).getText(),
  tap: async (job) => browser.action('pointer', { parameters: { pointerType: 'touch' } })
    .move({ x: job.x, y: job.y }).down().pause(40).up().perform(),
  gesture: (job) => browser.execute(job.script, job.args),
  back: () => browser.back(),
  key: (job) => browser.pressKeyCode(job.code),
  close: () => browser.deleteSession()
})
process.exit(0)
