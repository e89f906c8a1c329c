import { createApp } from 'vue'
import { agent } from './src/agent.js'
import Chat from './src/chat.vue'
import { offerScenario } from './src/check-shown.js'

createApp(Chat).mount(document.body.appendChild(document.createElement('main')))
offerScenario(agent)
