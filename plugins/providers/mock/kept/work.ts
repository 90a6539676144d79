import { isRecord } from '#kit'
import { type MockAnswer, makeAnswer } from '../answer.ts'
import { readOptions } from '../options.ts'
import type { MockCall } from '../tool-calls.ts'
import type { Fields, Kept, KeptObjects } from './objects.ts'
import { textOf, textPart } from './threads.ts'

/** What a run does, as an event of its stream. */
export type RunEvent = readonly [event: string, data: Fields]

/**
 * Does the work of a run: an answer of the mock to its thread, in a message, or calls of its tools. Events as types of openai-node 7.55.0
 * say them (`AssistantStreamEvent`), read 2026-11-24.
 */
export function* work(objects: KeptObjects, queued: Kept): Generator<RunEvent> {
  const run = objects.change('runs', queued, {
    status: 'in_progress',
    started_at: queued.created_at,
    required_action: null,
  })
  yield ['thread.run.in_progress', run]
  const answer = answerOf(objects, run)
  if (answer.toolCalls.length > 0) yield* callTools(objects, run, answer)
  else yield* sayText(objects, run, answer)
}

const answerOf = (objects: KeptObjects, run: Kept): MockAnswer => {
  const { model, options } = readOptions(String(run.model), undefined)
  const said = objects
    .list('messages', { thread_id: run.thread_id })
    .map((message) => ({ role: message.role, content: textOf(message) }))
  return makeAnswer({
    model,
    body: { ...run, model },
    messages: [{ role: 'system', content: run.instructions }, ...said, ...toolResults(objects, run)],
    headerNames: [],
    options,
  })
}

/** What the tools of this run gave, as a chat says it. */
const toolResults = (objects: KeptObjects, run: Kept): readonly Record<string, unknown>[] =>
  objects.list('steps', { run_id: run.id, type: 'tool_calls' }).flatMap((step) => {
    const calls = toolCallsIn(step)
    return [
      { role: 'assistant', content: null, tool_calls: calls },
      ...calls.map(({ id, function: called }) => ({
        role: 'tool',
        tool_call_id: id,
        content: isRecord(called) ? called.output : null,
      })),
    ]
  })

const toolCallsIn = ({ step_details: details }: Kept): readonly Fields[] =>
  isRecord(details) && Array.isArray(details.tool_calls) ? details.tool_calls.filter(isRecord) : []

const newStep = (objects: KeptObjects, run: Kept, type: string, details: Fields): Kept =>
  objects.make('steps', {
    run_id: run.id,
    thread_id: run.thread_id,
    assistant_id: run.assistant_id,
    type,
    status: 'in_progress',
    step_details: { type, ...details },
    last_error: null,
    cancelled_at: null,
    completed_at: null,
    expired_at: null,
    failed_at: null,
    metadata: {},
    usage: null,
  })

const delta = (kept: Kept, fields: Fields): RunEvent => [
  `${kept.object}.delta`,
  { id: kept.id, object: `${kept.object}.delta`, delta: fields },
]

function* callTools(objects: KeptObjects, run: Kept, answer: MockAnswer): Generator<RunEvent> {
  const step = newStep(objects, run, 'tool_calls', { tool_calls: [] })
  yield ['thread.run.step.created', step]
  yield ['thread.run.step.in_progress', step]
  for (const [index, call] of answer.toolCalls.entries()) {
    const piece = (fields: Fields): RunEvent =>
      delta(step, { step_details: { type: 'tool_calls', tool_calls: [{ index, type: 'function', ...fields }] } })
    yield piece({ id: call.id, function: { name: call.name, arguments: '', output: null } })
    for (const text of call.arguments) yield piece({ function: { arguments: text } })
  }
  const calls = answer.toolCalls.map(toToolCall)
  objects.change('steps', step, {
    step_details: {
      type: 'tool_calls',
      tool_calls: calls.map((call) => ({ ...call, function: { ...call.function, output: null } })),
    },
  })
  const waiting = objects.change('runs', run, {
    status: 'requires_action',
    required_action: { type: 'submit_tool_outputs', submit_tool_outputs: { tool_calls: calls } },
    usage: usageWith(run, answer),
  })
  yield ['thread.run.requires_action', waiting]
}

const toToolCall = (call: MockCall) => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: call.arguments.join('') },
})

function* sayText(objects: KeptObjects, run: Kept, answer: MockAnswer): Generator<RunEvent> {
  const message = objects.make('messages', {
    thread_id: run.thread_id,
    run_id: run.id,
    assistant_id: run.assistant_id,
    role: 'assistant',
    status: 'in_progress',
    content: [],
    attachments: [],
    metadata: {},
    completed_at: null,
    incomplete_at: null,
    incomplete_details: null,
  })
  const step = newStep(objects, run, 'message_creation', { message_creation: { message_id: message.id } })
  yield ['thread.run.step.created', step]
  yield ['thread.run.step.in_progress', step]
  yield ['thread.message.created', message]
  yield ['thread.message.in_progress', message]
  for (const value of answer.content) {
    yield delta(message, { content: [{ index: 0, type: 'text', text: { value, annotations: [] } }] })
  }
  const done = { status: 'completed', completed_at: message.created_at }
  yield [
    'thread.message.completed',
    objects.change('messages', message, { ...done, content: [textPart(answer.content.join(''))] }),
  ]
  const usage = usageWith(run, answer)
  yield ['thread.run.step.completed', objects.change('steps', step, { ...done, usage })]
  yield ['thread.run.completed', objects.change('runs', run, { ...done, usage })]
}

/** With what the run used before its tools were called. */
const usageWith = ({ usage: earlier }: Kept, { usage }: MockAnswer): Fields | null => {
  if (usage === undefined) return null
  const before = isRecord(earlier) ? earlier : {}
  const sum = (name: 'prompt_tokens' | 'completion_tokens' | 'total_tokens'): number =>
    (usage[name] ?? 0) + Number(before[name] ?? 0)
  return {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
  }
}

/** Keeps what the tools of a run gave. */
export const takeOutputs = (objects: KeptObjects, run: Kept, outputs: ReadonlyMap<string, unknown>): void => {
  const [step] = objects.list('steps', { run_id: run.id, status: 'in_progress' })
  if (step === undefined) return
  const calls = toolCallsIn(step).map((call) => ({
    ...call,
    function: { ...(isRecord(call.function) ? call.function : {}), output: outputs.get(String(call.id)) ?? '' },
  }))
  objects.change('steps', step, {
    status: 'completed',
    completed_at: step.created_at,
    step_details: { type: 'tool_calls', tool_calls: calls },
  })
}
