import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Block, PAGES, ROOT } from './pages.ts'

/** Every block of every page. */
export const BLOCKS: readonly Block[] = PAGES.flatMap(({ blocks }) => blocks)

/** Blocks of one kind that are to be run: those that say `no-run` are left out. */
export const blocksOfKind = (kind: string): Block[] =>
  BLOCKS.filter((block) => block.kind === kind && !block.note.startsWith('no-run'))

/** The one block that the pages give this file name. @throws Error when there is none, or more than one. */
export const fileBlock = (file: string): Block => {
  const [block, other] = BLOCKS.filter(({ note }) => note === `file=${file}` || note === `fixture=${file}`)
  if (block === undefined || other !== undefined) throw new Error(`the pages must show ${file} once`)
  return block
}

/** Plugin files that the pages show, for the folder of a config. */
export const PLUGIN_FILES = [
  'acme.ts',
  'allowed-models.ts',
  'answer-sizes.ts',
  'call-file.ts',
  'no-shouting.ts',
  'opentelemetry.ts',
  'summaries.ts',
] as const

const NODE_MODULES = new URL('node_modules', ROOT).pathname

export interface Folder {
  readonly path: string
  /** Writes a file and gives its path. */
  write(name: string, text: string): string
  remove(): void
}

const createFolder = (): Folder => {
  const path = mkdtempSync(join(tmpdir(), 'weir-docs-'))
  symlinkSync(NODE_MODULES, join(path, 'node_modules'))
  return {
    path,
    write(name, text) {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** The folder of an operator: a config, the plugin files beside it, installed packages, and nothing of Weir. */
export const operatorFolder = (configFile?: string, config?: string): Folder => {
  const folder = createFolder()
  for (const file of [...PLUGIN_FILES, 'prices.json']) folder.write(file, fileBlock(file).text)
  if (configFile !== undefined && config !== undefined) folder.write(configFile, config)
  return folder
}

/** The folder of a contributor: a checkout of Weir, with the README's provider as a plugin of its own. */
export const checkoutFolder = (): Folder => {
  const folder = createFolder()
  const acme = 'plugins/providers/acme'
  for (const file of ['package.json', 'tsconfig.json']) cpSync(new URL(file, ROOT).pathname, join(folder.path, file))
  // Folder by folder, as the README's provider lies beside the others.
  const others = new Bun.Glob('plugins/*/*').scanSync({ cwd: ROOT.pathname, onlyFiles: false })
  for (const path of ['src', 'plugins/built-in.ts', ...others]) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    symlinkSync(new URL(path, ROOT).pathname, join(folder.path, path))
  }
  folder.write(
    'tsconfig.docs.json',
    JSON.stringify({
      extends: './tsconfig.json',
      include: [`${acme}/*`, 'test', 'src/**/*.d.ts', 'plugins/**/*.d.ts'],
    }),
  )
  folder.write(`${acme}/index.ts`, fileBlock('acme.ts').text.replace('weir/kit', '#kit'))
  folder.write(`${acme}/acme.test.ts`, fileBlock('acme.test.ts').text)
  folder.write(`${acme}/fixtures/plain-text.json`, fileBlock('plain-text.json').text)
  return folder
}

/** Keys for everything that the pages leave to the reader. */
export const READER_ENV = {
  WEIR_API_KEY: 'docs-workspace-key-0123456789abcdef',
  WEIR_ADMIN_KEY: 'docs-organisation-key-0123456789abcdef',
  WEIR_MASTER_KEY: 'docs-master-key-0123456789abcdef0123',
  OPENAI_API_KEY: 'sk-docs-openai',
  ANTHROPIC_API_KEY: 'sk-docs-anthropic',
  GROQ_API_KEY: 'sk-docs-groq',
  AZURE_KEY: 'docs-azure-key',
  AWS_ACCESS_KEY_ID: 'AKIDDOCSEXAMPLE1',
  AWS_SECRET_ACCESS_KEY: 'docs-aws-secret',
  CLOUDFLARE_API_TOKEN: 'docs-cloudflare-token',
  CLOUDFLARE_ACCOUNT_ID: 'docsaccount',
} as const

/** A chat completion, for an upstream that answers whatever it is asked. */
export const COMPLETION = {
  id: 'chatcmpl-docs',
  object: 'chat.completion',
  created: 1_767_225_600,
  model: 'any',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
} as const

/** The same of Amazon Bedrock, in its own form. */
export const CONVERSED = {
  output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
} as const

/** The same of Gemini, in its own form. */
export const GENERATED = {
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
} as const
