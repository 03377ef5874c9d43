package dev.penstock.s3;

import java.util.concurrent.CompletableFuture;

/**
 * One thing to ask of the server, as often as it takes.
 *
 * @param <T> what the server answers
 */
interface Operation<T> {

    /** What is asked, of which bucket and key, for messages. */
    String what();

    /** Whether a second, equal request may run beside the first. */
    default boolean hedgeable() {
        return false;
    }

    /** Sends one attempt; called by the thread that runs the loop. */
    Sent<T> send();

    /**
     * An attempt under way.
     *
     * @param <T> what the server answers
     */
    interface Sent<T> {
        /** Completes when the attempt ends; cancelling it ends the request. */
        CompletableFuture<T> future();

        /** Whether the answer has begun. */
        default boolean begun() {
            return false;
        }

        /** After this call the attempt writes into no caller's memory any more. */
        default void shut() {}
    }

    /** An operation without memory of the caller's. */
    static <T> Operation<T> of(String what, java.util.function.Supplier<CompletableFuture<T>> request) {
        return new Operation<>() {
            @Override
            public String what() {
                return what;
            }

            @Override
            public Sent<T> send() {
                CompletableFuture<T> future = request.get();
                return () -> future;
            }
        };
    }
}
