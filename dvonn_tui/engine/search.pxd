# The C types of search.py: what is declared here and not there exists in the compiled variant only.
cimport cython

ctypedef unsigned char u8
ctypedef short i16
ctypedef int i32
ctypedef long long i64
ctypedef unsigned long long u64

cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(_WIN32)
    #ifndef WIN32_LEAN_AND_MEAN
    #define WIN32_LEAN_AND_MEAN
    #endif
    #include <windows.h>
    static double dvonn_clock(void) {
        LARGE_INTEGER now, rate;
        QueryPerformanceFrequency(&rate);
        QueryPerformanceCounter(&now);
        return (double)now.QuadPart / (double)rate.QuadPart;
    }
    #else
    #include <time.h>
    static double dvonn_clock(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    }
    #endif
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int dvonn_ctz(unsigned long long x) {
        unsigned long place;
        _BitScanForward64(&place, x);
        return (int)place;
    }
    #define dvonn_popcount(x) ((int)__popcnt64(x))
    #define dvonn_prefetch(slots, place)
    #else
    #define dvonn_ctz(x) __builtin_ctzll(x)
    #define dvonn_popcount(x) __builtin_popcountll(x)
    #define dvonn_prefetch(slots, place) __builtin_prefetch(&(slots)[place])
    #endif
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    /* Aligned to the large pages of most machines, so that a bucket is one line of the cache and finding it seldom
       costs a walk through the tables of pages; what was allocated stands before. */
    #define DVONN_PAGE ((size_t)2 << 20)
    static unsigned long long *dvonn_new_slots(size_t count) {
        char *whole = (char *)calloc(count * 8 + 2 * DVONN_PAGE, 1);
        void **slots;
        if (whole == NULL)
            return NULL;
        slots = (void **)(whole + (2 * DVONN_PAGE - (size_t)whole % DVONN_PAGE));
        #if defined(MADV_HUGEPAGE)
        if (count * 8 >= DVONN_PAGE)
            madvise(slots, count * 8, MADV_HUGEPAGE);
        #endif
        slots[-1] = whole;
        return (unsigned long long *)slots;
    }
    static void dvonn_release(unsigned long long *slots) {
        if (slots != NULL)
            free(((void **)slots)[-1]);
    }
    #ifndef DVONN_SOURCES
    #define DVONN_SOURCES 0
    #endif
    """
    double clock "dvonn_clock"() noexcept nogil
    int ctz "dvonn_ctz"(u64 x) noexcept nogil
    int popcount "dvonn_popcount"(u64 x) noexcept nogil
    void prefetch "dvonn_prefetch"(u64 *slots, u64 place) noexcept nogil
    u64 *new_slots "dvonn_new_slots"(size_t count) noexcept nogil
    void release_slots "dvonn_release"(u64 *slots) noexcept nogil
    const unsigned long sources_stamp "DVONN_SOURCES"

cdef u64 TARGETS[3200]
cdef u64 KEYS[16000]
cdef i32 REDUCTIONS[4096]
cdef u64 SIDE_KEY, ONE, BOARD, RIM

cdef u64 surrounded(u64 occ) noexcept nogil
cdef u64 spread(u64 cells) noexcept nogil
cdef u64 splitting(u64 occ) noexcept nogil
cdef u64 flood(u64 cells, u64 occ, u64 goal) noexcept nogil
cdef i32 end_value(i32 diff) noexcept nogil
cdef i32 goes_on(u64 own, u64 opp, u64 red, u64 ones) noexcept nogil
cdef u64 live_after(u64 red, u64 occ, u64 cut, i32 source, u64 target) noexcept nogil

cdef i32 FEATURES, WON, ESTIMATE_LIMIT, INFINITE, MOST_MOVES, GUESS

@cython.final
cdef class Table:
    cdef u64 *slots
    cdef u64 mask, first, most

    cpdef void grow(self) noexcept nogil

@cython.final
cdef class Searcher:
    cdef u8 h[64]
    cdef i32 moves[20480]
    cdef u64 goals[64]
    cdef i32 sources[64]
    cdef i16 history[8192]
    cdef i32 killers[512]
    cdef i16 f[72]
    cdef i32 weights[3600]
    cdef i32 towers[38400]
    cdef i32 mobile, foremost
    cdef u64 free, near, next_near, cut, pendant
    cdef i32 pv[16640]
    cdef i32 pv_length[130]
    cdef i32 root_moves[160]
    cdef i32 root_values[160]
    cdef i32 root_noise[160]
    cdef Table table
    cdef u64 *slots
    cdef u64 mask, own, opp, red, ones
    cdef readonly u64 key
    cdef readonly i32 diff, side
    cdef public i64 nodes, node_limit
    cdef i64 next_look
    cdef public double deadline
    cdef public bint stopped
    cdef public i32 age, patience, blind
    cdef public u64 salt
    cdef i32 proof
    cdef readonly i32 root_count, root_done, root_bound, root_proof

    cdef void set_towers(self, i32 at, i32 tall) noexcept nogil
    cdef i32 counted_diff(self, u64 own, u64 opp) noexcept nogil
    cdef u64 counted_key(self, u64 own, u64 opp, u64 red, i32 side) noexcept nogil
    cdef i32 count_moves(self, u64 stacks, u64 ones, u64 occ) noexcept nogil
    cdef i64 count_sequences(self, u64 own, u64 opp, u64 red, i32 depth) noexcept nogil
    cdef void survey(self, u64 occ, u64 red) noexcept nogil
    cdef i32 describe_side(self, i32 at, u64 mine, u64 other, u64 red, u64 ones, u64 occ) noexcept nogil
    cdef i32 describe(self, u64 own, u64 opp, u64 red, u64 ones, i32 diff) noexcept nogil
    cdef i32 worth(self, i32 at, i32 tall, u64 mine, u64 other, u64 red, u64 ones, u64 occ) noexcept nogil
    cdef i32 evaluate(self, u64 own, u64 opp, u64 red, u64 ones, i32 diff) noexcept nogil
    cdef void look_around(self) noexcept nogil
    cdef i32 generate(self, u64 own, u64 opp, u64 red, i32 side, i32 ply, i32 base, i32 known,
                      u64 cut) noexcept nogil
    cdef i32 list_plain(self, u64 own, u64 opp, u64 occ, u64 movers, i32 offset, i32 last) noexcept nogil
    cdef i32 list_special(self, u64 own, u64 opp, u64 red, u64 occ, u64 movers, i32 offset, i32 last,
                          i32 known) noexcept nogil
    cdef i32 following(self, i32 base, i32 last, i32 before) noexcept nogil
    cdef i32 can_move(self, u64 movers, u64 targets, i32 move) noexcept nogil
    cdef i32 diff_after(self, u64 own, u64 opp, u64 own2, i32 diff, i32 target_height, u64 there,
                        u64 gone) noexcept nogil
    cdef u64 key_after(self, u64 own, u64 opp, u64 red, u64 own2, u64 key, i32 side, i32 source, i32 target,
                       i32 source_height, i32 target_height, u64 gone) noexcept nogil
    cdef i32 descend(self, u64 own, u64 opp, u64 red, u64 ones, u64 live, i32 diff, u64 key, i32 side, i32 move,
                     i32 depth, i32 alpha, i32 beta, i32 ply, i32 base) noexcept nogil
    cdef i32 search(self, u64 own, u64 opp, u64 red, u64 ones, i32 diff, u64 key, i32 side, i32 depth,
                    i32 alpha, i32 beta, i32 ply, i32 base) noexcept nogil
    cdef u64 foresee(self, u64 own, u64 opp, u64 red, i32 side, u64 key, i32 move, u64 live) noexcept nogil
    cdef void keep_line(self, i32 move, i32 ply) noexcept nogil
    cdef void learn(self, i32 side, i32 ply, i32 depth, i32 move, i32 first, i32 number) noexcept nogil
    cdef void store(self, u64 slot, u64 key, i32 depth, i32 value, i32 bound, i32 proven,
                    i32 move) noexcept nogil
    cdef void raise_root(self, i32 place, i32 to) noexcept nogil
    cdef i32 search_root(self, i32 depth, i32 alpha, i32 beta, i32 first) noexcept nogil
