import { type AnyRoute, defineRoute } from '../route.ts'
import { feedbackErrors } from './errors.ts'
import { FeedbackChange, FeedbackSaved, NewFeedbacks } from './model.ts'
import { createFeedback, type FeedbackDeps } from './service.ts'

/** What people thought of answers (interface contract, section 5.2). */
export const feedbackRoutes = (deps: FeedbackDeps): readonly AnyRoute[] => {
  const feedback = createFeedback(deps)
  const saved = (message: string, ids: readonly string[]) => ({ status: 'success', message, feedback_ids: ids })
  return [
    defineRoute({
      method: 'POST',
      path: '/feedback',
      tag: 'Feedback',
      summary: 'Say what an answer was worth, or several.',
      scopes: ['logs.write'],
      plane: 'workspace',
      changes: false,
      errors: feedbackErrors,
      body: NewFeedbacks,
      response: FeedbackSaved,
      async handle({ actor, body }) {
        const ids = await feedback.add(actor, Array.isArray(body) ? body : [body])
        return saved('Feedback was saved.', ids)
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/feedback/:id',
      tag: 'Feedback',
      summary: 'Say it again: the last word counts.',
      scopes: ['logs.write'],
      plane: 'workspace',
      changes: false,
      errors: feedbackErrors,
      body: FeedbackChange,
      response: FeedbackSaved,
      async handle({ actor, body, params: { id = '' } }) {
        await feedback.change(actor, id, body)
        return saved('Feedback was changed.', [id.toLowerCase()])
      },
    }),
  ]
}
