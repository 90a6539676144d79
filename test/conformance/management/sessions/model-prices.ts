import type { Session } from '../recorder.ts'
import { LISTED_MODEL } from '../routes-under-test.ts'

export const modelPrices: Session = async ({ get, as }) => {
  await get(`/model-configs/pricing/openai/${LISTED_MODEL}`)
  await as('their admin').get(`/model-configs/pricing/openai/${LISTED_MODEL}?details=true`)
  await get('/model-configs/pricing/anthropic/claude-haiku-5-5?details=true')
  await get('/model-configs/pricing/openai/gpt-image-1')
  await get(`/model-configs/pricing/groq/${encodeURIComponent('openai/gpt-oss-120b')}`)
  await get('/model-configs/pricing?provider=openai&search=GPT-4O&page_size=2')
  await get('/model-configs/pricing?search=no+model+is+called+so')
  await get('/model-configs/pricing?page_size=0')
  await get('/model-configs/pricing/openai/nothing')
  await get('/model-configs/pricing/nobody/nothing')
  await get(`/model-configs/pricing/openai/${LISTED_MODEL}?details=perhaps`)
  await get(`/model-configs/pricing/openai/${LISTED_MODEL}?tier=batch`)
}
