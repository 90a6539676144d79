import { TemplateError } from '../../calls/template/errors.ts'
import { parseTemplate } from '../../calls/template/parse.ts'
import { invalidField } from '../invalid-field.ts'

/**
 * Refuses what no template could insert. Whether the partials that it names exist shows when it is rendered.
 * @throws ManagementInvalid with line and column
 */
export const checkPartial = (template: string): void => {
  try {
    parseTemplate(template)
  } catch (thrown) {
    if (!(thrown instanceof TemplateError)) throw thrown
    throw invalidField('string', `is no template: ${thrown.message}`)
  }
}
