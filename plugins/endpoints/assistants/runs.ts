import { type Endpoint, t } from '#kit'
import { keptObject, listOf, Metadata, shown } from '../kept-objects.ts'
import { RETIRED } from './retired.ts'
import { streamedRun } from './run-stream.ts'
import { NewThread } from './threads.ts'

const PATH = '/threads/:thread_id/runs'
const RUN = `${PATH}/:run_id`

const AtLeast256 = t.Integer({ minimum: 256 })

/** "Runs" of OpenAI's API reference, as types of openai-node 7.55.0 say it (resources/beta/threads/runs/runs.d.ts), read 2026-11-24. */
const FIELDS = {
  assistant_id: t.String(),
  model: t.Optional(t.String()),
  instructions: t.Optional(t.String()),
  tools: t.Optional(t.Array(t.Object({ type: t.String() }), { maxItems: 20 })),
  metadata: t.Optional(Metadata),
  temperature: t.Optional(t.Number()),
  top_p: t.Optional(t.Number()),
  stream: t.Optional(t.Boolean()),
  max_prompt_tokens: t.Optional(AtLeast256),
  max_completion_tokens: t.Optional(AtLeast256),
  tool_choice: t.Optional(t.Union([t.String(), t.Object({ type: t.String() })])),
  parallel_tool_calls: t.Optional(t.Boolean()),
  response_format: t.Optional(t.Union([t.String(), t.Object({ type: t.String() })])),
}

const STREAMS = ' With `stream: true` the answer is a stream of server-sent events.'

/** What calls that make a model write have in common. */
const written = { hasModel: true, isWritten: true, deprecated: RETIRED, operation: 'invoke_agent' } as const

/** Calls that may be answered by a stream, which is followed to its end. */
const streaming = (endpoint: Endpoint): Endpoint => ({ ...endpoint, stages: [streamedRun, ...(endpoint.stages ?? [])] })

export const runs: readonly Endpoint[] = [
  streaming(
    keptObject({
      id: 'thread-and-run-create',
      at: 'POST /threads/runs',
      operationId: 'createThreadAndRun',
      summary: `Begin a thread and run an assistant on it.${STREAMS}`,
      sent: t.Object({ ...FIELDS, thread: t.Optional(NewThread), tool_resources: t.Optional(t.Object({})) }),
      answered: shown('thread.run'),
      reads: ['instructions', 'thread', 'tools'],
      ...written,
    }),
  ),
  keptObject({
    id: 'run-list',
    at: `GET ${PATH}`,
    operationId: 'listRuns',
    summary: 'List the runs of a thread.',
    answered: listOf('thread.run'),
    deprecated: RETIRED,
  }),
  streaming(
    keptObject({
      id: 'run-create',
      at: `POST ${PATH}`,
      operationId: 'createRun',
      summary: `Run an assistant on a thread.${STREAMS}`,
      sent: t.Object({
        ...FIELDS,
        additional_instructions: t.Optional(t.String()),
        additional_messages: t.Optional(t.Array(t.Object({}))),
      }),
      answered: shown('thread.run'),
      reads: ['instructions', 'additional_instructions', 'additional_messages', 'tools'],
      ...written,
    }),
  ),
  keptObject({
    id: 'run-retrieve',
    at: `GET ${RUN}`,
    operationId: 'getRun',
    summary: 'Show a run.',
    answered: shown('thread.run'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'run-modify',
    at: `POST ${RUN}`,
    operationId: 'modifyRun',
    summary: 'Change a run.',
    sent: t.Object({ metadata: t.Optional(Metadata) }),
    answered: shown('thread.run'),
    deprecated: RETIRED,
  }),
  streaming(
    keptObject({
      id: 'run-submit-tool-outputs',
      at: `POST ${RUN}/submit_tool_outputs`,
      operationId: 'submitToolOutputsToRun',
      summary: `Give a run the results of the tools that it asks for.${STREAMS}`,
      sent: t.Object({
        tool_outputs: t.Array(t.Object({ tool_call_id: t.Optional(t.String()), output: t.Optional(t.String()) })),
        stream: t.Optional(t.Boolean()),
      }),
      answered: shown('thread.run'),
      reads: ['tool_outputs'],
      ...written,
      // It was named when the run began.
      hasModel: false,
    }),
  ),
  keptObject({
    id: 'run-cancel',
    at: `POST ${RUN}/cancel`,
    operationId: 'cancelRun',
    summary: 'Stop a run.',
    answered: shown('thread.run'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'run-step-list',
    at: `GET ${RUN}/steps`,
    operationId: 'listRunSteps',
    summary: 'List the steps of a run.',
    answered: listOf('thread.run.step'),
    deprecated: RETIRED,
  }),
  keptObject({
    id: 'run-step-retrieve',
    at: `GET ${RUN}/steps/:step_id`,
    operationId: 'getRunStep',
    summary: 'Show a step of a run.',
    answered: shown('thread.run.step'),
    deprecated: RETIRED,
  }),
]
