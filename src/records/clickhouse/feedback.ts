import type { Names } from './names.ts'

const LAST = ['time', 'workspace_id', 'trace_id', 'value', 'weight']

/** Rows of feedback, the last one of each id alone. As a source of questions. */
export const lastFeedback = (names: Names): string => {
  // By another name first: one that is a column's as well would stand for the aggregate in the others.
  const last = LAST.map((name) => `argMax(${name}, (time, stored_at, position)) as last_${name}`).join(', ')
  const named = LAST.map((name) => `last_${name} as ${name}`).join(', ')
  return `(select id, organisation_id, ${named} from (select id, organisation_id, ${last} from ${names.all('feedback')} group by id, organisation_id))`
}

/** Parameters: `organisation`, `id`. */
export const findFeedback = (names: Names): string =>
  `select id, time, organisation_id, workspace_id, trace_id, value, weight, metadata, api_key_id from ${names.all('feedback')}
   where organisation_id = {organisation:String} and id = {id:String} order by time desc, stored_at desc, position desc limit 1`
