import { type TSchema, Type as t } from '@sinclair/typebox'
import type { Page } from '../store/objects/rows.ts'

/** Paging of a list: pages count from 0. */
export const pageQuery = (defaultSize: number, maximumSize: number) => ({
  current_page: t.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'Page, from 0.' }),
  page_size: t.Integer({ minimum: 1, maximum: maximumSize, default: defaultSize, description: 'Rows of a page.' }),
})

export interface PageQuery {
  readonly current_page: number
  readonly page_size: number
}

export const toPage = ({ current_page: page, page_size: limit }: PageQuery): Page => ({ limit, offset: page * limit })

/** The envelope of a list. */
export const listOf = (item: TSchema) =>
  t.Object({ object: t.Literal('list'), total: t.Integer({ minimum: 0 }), data: t.Array(item) })

export const toList = <Row>(rows: readonly Row[], total: number) => ({ object: 'list' as const, total, data: rows })
