import { lstat, mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { FOLDERS, PROMPTS } from './layout.ts'

/** Text of each file, by its path below the folder, with slashes. */
export type Files = ReadonlyMap<string, string>

/** What a folder holds of prompts and partials. */
export interface FolderContent {
  readonly files: Files
  /** The folders `prompts` and `partials`, as far as they are there. */
  readonly folders: ReadonlySet<string>
}

/** The files of one prompt or partial. */
export interface Group {
  readonly slug: string
  readonly files: Files
}

/** What is wrong with a file of the folder. */
export interface Problem {
  /** Below the folder, with slashes; `prompts/pp-greeting-1a2b3c/prompt.json:3:14` where the place is known. */
  readonly file: string
  /** Names the field first, where one is at fault. */
  readonly message: string
}

/** The files cannot be stored as they are: nothing was. */
export class FilesRefused extends Error {
  override readonly name = 'FilesRefused'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ file, message }) => `${file}: ${message}\n`).join(''))
    this.problems = problems
  }
}

/** More than any file of a prompt can have. */
const MAX_FILE_BYTES = 8 * 1024 * 1024

/** Nobody takes these for prompts. */
const isNote = (name: string): boolean => name.startsWith('.') || name === 'README.md'

/**
 * Reads the files of prompts and partials below a folder. What is not a plain file or folder is refused: a link could lead to
 * any file of the machine.
 * @throws FilesRefused
 */
export const readFolder = async (root: string): Promise<FolderContent> => {
  const problems: Problem[] = []
  const files = new Map<string, string>()
  const folders = new Set<string>()
  for (const folder of FOLDERS) {
    if (!(await isFolder(join(root, folder), folder))) continue
    folders.add(folder)
    await readInto(files, root, folder, folder === PROMPTS ? 2 : 1, problems)
  }
  if (problems.length > 0) throw new FilesRefused(problems)
  return { files, folders }
}

/** @param depth 1: files only; 2: folders with files */
const readInto = async (
  files: Map<string, string>,
  root: string,
  folder: string,
  depth: 1 | 2,
  problems: Problem[],
): Promise<void> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  for (const entry of entries) {
    if (isNote(entry.name)) continue
    const path = `${folder}/${entry.name}`
    if (depth === 2 && entry.isDirectory()) await readInto(files, root, path, 1, problems)
    else if (depth === 1 && entry.isFile()) await readFileInto(files, root, path, problems)
    else problems.push({ file: path, message: `is not a ${depth === 1 ? 'file' : 'folder'}` })
  }
}

const readFileInto = async (
  files: Map<string, string>,
  root: string,
  path: string,
  problems: Problem[],
): Promise<void> => {
  const file = join(root, path)
  if ((await lstat(file)).size > MAX_FILE_BYTES) {
    problems.push({ file: path, message: `is larger than ${MAX_FILE_BYTES} bytes` })
    return
  }
  try {
    // To the byte: a byte order mark is a part of the text.
    files.set(path, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file)))
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    problems.push({ file: path, message: 'is not UTF-8 text' })
  }
}

/** @throws FilesRefused when something else is there */
const isFolder = async (path: string, name: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined || found.isDirectory()) return found !== undefined
  throw new FilesRefused([{ file: name, message: 'is not a folder' }])
}

/** Makes the folder hold these files and none of the given others. Files that are right already are not touched. */
export const writeFolder = async (
  root: string,
  wanted: Files,
  before: Files,
  stale: readonly string[],
): Promise<void> => {
  for (const folder of FOLDERS) await mkdir(join(root, folder), { recursive: true })
  for (const path of stale) {
    await rm(join(root, path))
    // Kept while anything else is in it.
    if (!isTop(dirname(path))) await rmdir(join(root, dirname(path))).catch(() => undefined)
  }
  for (const [path, text] of wanted) {
    if (before.get(path) === text) continue
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

const isTop = (folder: string): boolean => FOLDERS.some((name) => name === folder)
