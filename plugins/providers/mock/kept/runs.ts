import { isRecord } from '#kit'
import { ssePlan } from '../plan.ts'
import { MockRefusal } from '../refusal.ts'
import type { Fields, Kept, KeptObjects } from './objects.ts'
import { page } from './page.ts'
import { given, type KeptCall, type KeptRoute, optionsOf, PlannedAnswer, required } from './route.ts'
import { addMessage, makeThread } from './threads.ts'
import { type RunEvent, takeOutputs, work } from './work.ts'

const RUNS = '/threads/:thread/runs'
const ONE = `${RUNS}/:run`

/** Fields as `Run` of openai-node 7.55.0 has them (resources/beta/threads/runs/runs.d.ts), read 2026-11-24. */
const NEW = {
  status: 'queued',
  started_at: null,
  expires_at: null,
  cancelled_at: null,
  failed_at: null,
  completed_at: null,
  required_action: null,
  last_error: null,
  incomplete_details: null,
  metadata: {},
  usage: null,
  temperature: 1,
  top_p: 1,
  max_prompt_tokens: null,
  max_completion_tokens: null,
  truncation_strategy: { type: 'auto', last_messages: null },
  response_format: 'auto',
  tool_choice: 'auto',
  parallel_tool_calls: true,
}

const OF_ASSISTANT = ['model', 'instructions', 'tools', 'temperature', 'top_p', 'response_format'] as const

const OF_BODY = [
  ...OF_ASSISTANT,
  'metadata',
  'max_prompt_tokens',
  'max_completion_tokens',
  'truncation_strategy',
  'tool_choice',
  'parallel_tool_calls',
] as const

const makeRun = (objects: KeptObjects, thread: Kept, body: Fields): Kept => {
  const assistant = objects.find('assistants', required(body, 'assistant_id'))
  const { additional_messages: more = [], additional_instructions: besides } = body
  if (!Array.isArray(more)) throw new MockRefusal(400, '`additional_messages` must be a list.', 'additional_messages')
  for (const message of more) addMessage(objects, thread, isRecord(message) ? message : {})
  const fields: Fields = { ...NEW, ...given(assistant, OF_ASSISTANT), ...given(body, OF_BODY) }
  const instructions = [fields.instructions, besides].filter((text) => typeof text === 'string').join('\n')
  return objects.make('runs', { ...fields, instructions, thread_id: thread.id, assistant_id: assistant.id })
}

/** The run as it begins, or all that it does as events. @param first what came before */
const begun = (objects: KeptObjects, run: Kept, body: Fields, first: readonly RunEvent[]): object => {
  const options = optionsOf(String(run.model), body)
  if (body.stream !== true) return run
  const events = [...first, ['thread.run.queued', run] as const, ...work(objects, run)]
  return new PlannedAnswer(ssePlan([...events.map(written), 'event: done\ndata: [DONE]\n\n']), options)
}

const written = ([event, data]: RunEvent): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const threadOf = ({ objects, ids }: KeptCall): Kept => objects.find('threads', ids.thread ?? '')

const runOf = ({ objects, ids }: KeptCall): Kept => objects.find('runs', ids.run ?? '', { thread_id: ids.thread })

/** A run does its work when somebody looks at it: the mock has no clock. */
const looked = (call: KeptCall): Kept => {
  const run = runOf(call)
  if (run.status !== 'queued') return run
  for (const _ of work(call.objects, run));
  return runOf(call)
}

const submit = (call: KeptCall): object => {
  const run = runOf(call)
  const { tool_outputs: outputs } = call.body
  if (run.status !== 'requires_action') {
    throw new MockRefusal(400, `The run is ${String(run.status)}: it does not wait for tools.`)
  }
  if (!Array.isArray(outputs)) throw new MockRefusal(400, '`tool_outputs` must be a list.', 'tool_outputs')
  const byId = outputs.flatMap((each: unknown): [string, unknown][] =>
    isRecord(each) ? [[String(each.tool_call_id), each.output]] : [],
  )
  takeOutputs(call.objects, run, new Map(byId))
  const queued = call.objects.change('runs', run, { status: 'queued', required_action: null })
  return begun(call.objects, queued, call.body, [])
}

const cancel = (call: KeptCall): object => {
  const run = runOf(call)
  if (run.status !== 'queued' && run.status !== 'requires_action') {
    throw new MockRefusal(400, `The run is ${String(run.status)}: it cannot be cancelled.`)
  }
  return call.objects.change('runs', run, {
    status: 'cancelled',
    cancelled_at: run.created_at,
    required_action: null,
  })
}

const ofRun = (call: KeptCall): Fields => ({ run_id: runOf(call).id })

export const runRoutes: readonly KeptRoute[] = [
  [
    'POST /threads/runs',
    ({ objects, body }) => {
      const thread = makeThread(objects, isRecord(body.thread) ? body.thread : {})
      const run = makeRun(objects, thread, body)
      return begun(objects, run, body, [
        ['thread.created', thread],
        ['thread.run.created', run],
      ])
    },
  ],
  [`GET ${RUNS}`, (call) => page(call.objects.list('runs', { thread_id: threadOf(call).id }), call.query)],
  [
    `POST ${RUNS}`,
    (call) => {
      const run = makeRun(call.objects, threadOf(call), call.body)
      return begun(call.objects, run, call.body, [['thread.run.created', run]])
    },
  ],
  [`GET ${ONE}`, looked],
  [`POST ${ONE}`, (call) => call.objects.change('runs', runOf(call), given(call.body, ['metadata']))],
  [`POST ${ONE}/submit_tool_outputs`, submit],
  [`POST ${ONE}/cancel`, cancel],
  [`GET ${ONE}/steps`, (call) => page(call.objects.list('steps', ofRun(call)), call.query)],
  [`GET ${ONE}/steps/:step`, (call) => call.objects.find('steps', call.ids.step ?? '', ofRun(call))],
]
