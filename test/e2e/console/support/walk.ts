import type { Locator, Page } from 'playwright-core'
import type { Stage } from './stage.ts'

/** What people do on any page. */
export interface Walk {
  /** Opens a section from the beginning: what was open before is gone. */
  goTo(section: string): Promise<void>
  rowOf(text: string): Locator
  /** Saves what is in the dialog. @throws Error with the words of a refusal */
  save(): Promise<void>
  /** Deletes what stands in the row, and waits until it is gone. */
  remove(text: string): Promise<void>
}

export const walkOn = (stage: Pick<Stage, 'url'>, page: Page): Walk => {
  const rowOf: Walk['rowOf'] = (text) => page.getByRole('row').filter({ hasText: text })
  return {
    rowOf,
    async goTo(section) {
      await page.goto(`${stage.url}/console/start`)
      const sections = page.getByRole('navigation', { name: 'Sections' })
      await sections.getByRole('link', { name: section, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: section }).waitFor()
    },
    async save() {
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Save' }).click()
      const refusal = dialog.getByRole('alert')
      await Promise.race([dialog.waitFor({ state: 'hidden' }), refusal.waitFor().catch(() => undefined)])
      if (await refusal.isVisible()) throw new Error(`not saved: ${await refusal.textContent()}`)
    },
    async remove(text) {
      await rowOf(text).getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await rowOf(text).waitFor({ state: 'detached' })
    },
  }
}
