/** Text of each file, by its path below the folder, with slashes. */
export type Files = ReadonlyMap<string, string>

/** What a folder holds of prompts and partials. */
export interface FolderContent {
  readonly files: Files
  /** Which of its folders `prompts` and `partials` are there. */
  readonly folders: ReadonlySet<string>
}

/** The files of one prompt or partial. */
export interface Group {
  readonly slug: string
  readonly files: Files
}
