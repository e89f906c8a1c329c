import { Component, DestroyRef, inject, signal } from '@angular/core'
import { textOf } from '@offthread/core'
import { agent } from './agent.js'

@Component({
  selector: 'app-chat',
  template: `
    @for (message of state().messages; track message.id) {
      <article>
        <b>{{ message.role }}</b> {{ textOf(message.content) }}
        @for (part of message.content; track $index) {
          @if (part.type === 'toolCall') {
            <p>{{ part.toolName }}: {{ state().toolCalls.get(part.toolCallId)?.status }}</p>
          }
        }
      </article>
    }
    <button type="button" (click)="ask()">Ask</button>
    <button type="button" [disabled]="!state().isActive" (click)="agent.abort()">Stop</button>
  `,
})
export class Chat {
  readonly agent = agent
  readonly textOf = textOf
  readonly state = signal(agent.getState())

  constructor() {
    inject(DestroyRef).onDestroy(agent.store.subscribe((state) => this.state.set(state)))
  }

  ask(): void {
    void agent.prompt('How many primes are below a million?')
  }
}
