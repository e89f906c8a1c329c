import { provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { agent } from './src/agent.js'
import { Chat } from './src/chat.component'
import { offerScenario } from './src/check-shown.js'

await bootstrapApplication(Chat, { providers: [provideZonelessChangeDetection()] })
offerScenario(agent)
