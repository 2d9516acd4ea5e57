package harbour.offline

import java.time.Instant

data class Message(val id: Long, val body: String, val created: Instant, var tries: Int = 0)

interface Wire {
    suspend fun send(message: Message): Boolean
}

/** Holds what could not be sent while there was no network. */
class Outbox(private val wire: Wire, private val limit: Int = 500) {
    private val waiting = ArrayDeque<Message>()

    fun add(message: Message) {
        if (waiting.any { it.id == message.id }) return
        while (waiting.size >= limit) waiting.removeFirst()
        waiting.addLast(message)
    }

    /** Oldest first; stops at the first failure so that the order is kept. */
    suspend fun flush(): Int {
        var sent = 0
        while (true) {
            val next = waiting.firstOrNull() ?: return sent
            next.tries += 1
            if (!wire.send(next)) return sent
            waiting.removeFirst()
            sent += 1
        }
    }

    fun dropOlderThan(moment: Instant) {
        waiting.removeAll { it.created < moment }
    }
}
