import { mount } from 'svelte'
import { agent } from './src/agent.js'
import Chat from './src/chat.svelte'
import { offerScenario } from './src/check-shown.js'

mount(Chat, { target: document.body })
offerScenario(agent)
