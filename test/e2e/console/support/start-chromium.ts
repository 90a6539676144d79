import { type Browser, chromium } from 'playwright-core'
import { installPackages, planInstall, thisMachine } from '../../../support/start-binaries.ts'
import { createProcessGroup } from '../../../support/start-process.ts'

/** Under any of these names a system has one; Debian's first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

const find = (): string | undefined => NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ?? undefined

/** Path of a browser, which is installed first where this program may do so. @throws Error that says what to install */
const requireChromium = async (): Promise<string> => {
  const found = find()
  if (found !== undefined) return found
  const plan = planInstall(['chromium'], thisMachine())
  if (plan.kind === 'refuse') throw new Error(plan.message)
  await installPackages(plan, createProcessGroup())
  const installed = find()
  if (installed === undefined) throw new Error('apt-get installed chromium, but no program was found')
  return installed
}

/** Starts a browser without a window. Whoever starts one closes it. */
export const startChromium = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: await requireChromium(),
    // Chromium's own sandbox is not for the user root, whom containers run as.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
