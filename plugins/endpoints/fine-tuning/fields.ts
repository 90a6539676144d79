import { type TObject, t } from '#kit'

/** "Fine-tuning" of OpenAI's API reference, as types of openai-node 7.55.0 say it (resources/fine-tuning/jobs), read 2026-11-24. */
export const Job = t.Object({
  id: t.String(),
  object: t.Literal('fine_tuning.job'),
  model: t.String(),
  status: t.String(),
  created_at: t.Integer(),
  training_file: t.String(),
})

const Event = t.Object({
  id: t.String(),
  object: t.Literal('fine_tuning.job.event'),
  created_at: t.Integer(),
  level: t.String(),
  message: t.String(),
})

const Checkpoint = t.Object({
  id: t.String(),
  object: t.Literal('fine_tuning.job.checkpoint'),
  created_at: t.Integer(),
  step_number: t.Integer(),
  fine_tuned_model_checkpoint: t.String(),
})

const listOf = (item: TObject) => t.Object({ object: t.Literal('list'), data: t.Array(item), has_more: t.Boolean() })

export const Jobs = listOf(Job)
export const Events = listOf(Event)
export const Checkpoints = listOf(Checkpoint)
