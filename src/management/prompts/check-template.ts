import { TemplateError } from '../../calls/template/errors.ts'
import { parsePrompt } from '../../calls/template/prompt.ts'
import type { PromptContent } from '../../store/prompt-versions.ts'
import { invalidField } from '../invalid-field.ts'

/**
 * Refuses what no call could use. Whether the partials that it names exist shows when it is rendered.
 * @throws ManagementInvalid with line and column
 */
export const checkTemplate = ({ template, isRawTemplate }: Pick<PromptContent, 'template' | 'isRawTemplate'>): void => {
  try {
    parsePrompt(template, { isRaw: isRawTemplate })
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown
    throw invalidField('string', `is no template: ${thrown.message}`)
  }
}
