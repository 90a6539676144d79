import { assistantRoutes } from './assistants.ts'
import { fineTuningRoutes } from './fine-tuning.ts'
import { keptAnswers } from './route.ts'
import { runRoutes } from './runs.ts'
import { threadRoutes } from './threads.ts'
import { vectorStoreRoutes } from './vector-stores.ts'

/** Answers requests about objects that the mock keeps; `/threads/runs` is looked for before any one thread. */
export const answerKept = keptAnswers([
  ...runRoutes,
  ...assistantRoutes,
  ...threadRoutes,
  ...vectorStoreRoutes,
  ...fineTuningRoutes,
])
