import { conform } from '#kit/testing'
import elevenlabs from './index.ts'

conform(elevenlabs, new URL('./fixtures/', import.meta.url), { config: { voices: { Narrator: 'voice/1' } } })
