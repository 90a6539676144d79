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
