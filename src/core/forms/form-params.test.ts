import { describe, expect, test } from 'bun:test'
import { formBody, maybe, t } from '#kit'
import { InvalidRequest } from '../../errors/gateway-error.ts'
import { FormFile } from './form-file.ts'
import { formParams } from './form-params.ts'
import { FormReader } from './form-reader.ts'

const body = formBody(
  t.Object({
    model: t.String(),
    prompt: maybe(t.String()),
    temperature: maybe(t.Number()),
    n: maybe(t.Integer()),
    stream: maybe(t.Boolean()),
    include: maybe(t.Array(t.String())),
    chunking_strategy: maybe(t.Union([t.String(), t.Object({ type: t.String(), threshold: t.Optional(t.Number()) })])),
  }),
  { file: { required: true, types: ['audio/'] }, image: { max: 2 } },
)

type Part = readonly [name: string, value: string | File]

const read = async (...parts: readonly Part[]): Promise<Readonly<Record<string, unknown>>> => {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value)
  }
  const request = new Request('http://a/', { method: 'POST', body: form })
  const boundary = /boundary="?([^"]+)/.exec(request.headers.get('content-type') ?? '')?.[1]
  const reader = new FormReader(boundary, ({ isFile }) => !isFile)
  reader.push(await request.bytes())
  reader.end()
  return formParams(reader.parts, body)
}

const WAV = new File(['RIFF'], 'a.wav', { type: 'audio/wav' })
const WHOLE: readonly Part[] = [
  ['file', WAV],
  ['model', 'm'],
]

const faultOf = async (...parts: readonly Part[]) => {
  try {
    body.check(await read(...parts))
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return [thrown.options.param, thrown.message]
    throw thrown
  }
  throw new Error('it was accepted')
}

describe('the parameters of a form', () => {
  test('are read as their schema says, wherever the file stands', async () => {
    const params = await read(
      ['file', WAV],
      ['model', '007'],
      ['temperature', '0.5'],
      ['n', '2'],
      ['stream', 'true'],
      ['prompt', '12'],
      ['include[]', 'logprobs'],
      ['include[]', '7'],
      ['their_own', '1'],
      ['their_list', 'a'],
      ['their_list', 'b'],
    )
    const { file, ...fields } = params
    expect(fields).toEqual({
      model: '007',
      temperature: 0.5,
      n: 2,
      stream: true,
      prompt: '12',
      include: ['logprobs', '7'],
      their_own: '1',
      their_list: ['a', 'b'],
    })
    expect(file).toBeInstanceOf(FormFile)
    expect(file).toMatchObject({ filename: 'a.wav', type: 'audio/wav', size: 4 })
    body.check(params)
  })

  test('know each way to write a list and an object', async () => {
    for (const name of ['include', 'include[]', 'include[0]']) {
      expect((await read([name, 'logprobs'])).include).toEqual(['logprobs'])
    }
    expect((await read(['include', 'a'], ['include', 'b'])).include).toEqual(['a', 'b'])
    const strategy = { type: 'server_vad', threshold: 0.5 }
    const asParts = await read(['chunking_strategy[type]', 'server_vad'], ['chunking_strategy[threshold]', '0.5'])
    const asJson = await read(['chunking_strategy', JSON.stringify(strategy)])
    for (const params of [asParts, asJson]) expect(params.chunking_strategy).toMatchObject(strategy)
    expect((await read(['chunking_strategy', 'auto'])).chunking_strategy).toBe('auto')
  })

  test('may be several files of one name', async () => {
    const [one, other] = [new File(['1'], 'dir/1.png'), new File(['22'], 'C:\\2.png')]
    for (const name of ['image', 'image[]']) {
      const { image } = await read(...WHOLE, [name, one], [name, other])
      expect(image).toMatchObject([{ filename: '1.png' }, { filename: '2.png', size: 2 }])
    }
  })

  test.each([
    [[WHOLE[1]], 'file', 'is required: send it as a file'],
    [[WHOLE[0]], 'model', 'is required'],
    [[...WHOLE, ['temperature', 'warm']], 'temperature', 'must be a number'],
    [[...WHOLE, ['n', '1.5']], 'n', 'must be a whole number'],
    [[...WHOLE, ['stream', '1']], 'stream', 'must be a boolean'],
    [[WHOLE[1], ['file', 'RIFF']], 'file', 'must be sent as a file, with a file name'],
    [[...WHOLE, WHOLE[0]], 'file', 'must be one file'],
    [[...WHOLE, ...Array(3).fill(['image', WAV])], 'image', 'must be at most 2 files'],
    [[WHOLE[1], ['file', new File([], 'a.wav')]], 'file', 'is empty'],
    [
      [WHOLE[1], ['file', new File(['x'], 'a.txt', { type: 'text/plain' })]],
      'file',
      'must be of the type audio/*, and not text/plain',
    ],
  ] as [Part[], string, string][])('%j is refused: %s %s', async (parts, param, problem) => {
    expect(await faultOf(...parts)).toEqual([param, `\`${param}\` ${problem}.`])
  })

  test.each([
    [['model', 'other']],
    [['Model', 'other']],
    [['model[]', 'other']],
    [['model', new File(['x'], 'x')]],
    [['model[a]', 'x']],
    [['FILE', WAV]],
    [['file[a]', WAV]],
    [['include[a]', 'x']],
    [['include[a][b][c][d][e]', 'x']],
  ] as [Part][])('%j beside the others can be read in two ways', async (part) => {
    const [param, message] = await faultOf(...WHOLE, part)
    expect(['model', 'file', 'include']).toContain(param as string)
    expect(message).toMatch(/more than one way|must be sent as a file/)
  })

  test('are own fields, whatever they are called', async () => {
    const params = await read(...WHOLE, ['__proto__', 'x'], ['constructor', 'y'], ['a[__proto__][b]', 'z'])
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
    expect(Object.keys(params)).toContain('__proto__')
    expect(({} as Record<string, unknown>).b).toBeUndefined()
  })
})
