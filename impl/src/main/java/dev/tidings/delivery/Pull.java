package dev.tidings.delivery;

/** How a turn of a subscription ended. */
enum Pull {
    /** It has nothing more to send; it is woken when there is. */
    DRY,
    /** It has more, and the others are next. */
    TURN_OVER,
    /** It has more, and the batch has no room for it. */
    FULL,
    /** Its gate is closed; it is woken when it opens. */
    GATED,
    /** It is behind the window and needs a page of the log. */
    BEHIND,
    /** It lost something that cannot be made good; the socket has to come back. */
    BROKEN;

    static Pull after(Batch.Offer offer) {
        return offer == Batch.Offer.FULL ? FULL : TURN_OVER;
    }
}
