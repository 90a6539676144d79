import { afterAll, beforeAll } from 'bun:test'
import { API_KEY } from '../../support/gateway.ts'
import { pythonSuite } from '../clients/support/python.ts'
import { type DialectScene, MAKERS, openDialectScene } from './support/scene.ts'

let opened: DialectScene
beforeAll(async () => {
  opened = await openDialectScene()
})
afterAll(() => opened.close())

const environment = () => ({
  WEIR_URL: opened.gateway.url,
  WEIR_KEY: API_KEY,
  MODELS: JSON.stringify(Object.fromEntries(MAKERS.map(({ id, model }) => [id, model]))),
})

pythonSuite('litellm_client', environment)
pythonSuite('langchain_client', environment)
