/* The hot loops of simple complexes, on the arrays of exactrelu/cells/simple.py.
 *
 * Each function does what the numpy code beside its only caller does, number by number: the same
 * operations on doubles in the same order, so that the results have the same bits.  Compilers may
 * not fuse a product and a sum (-ffp-contract=off), nor keep more digits than a double has.
 * Memory is given by the caller; nothing here allocates but the tables of hashes, by malloc.
 *
 * Results below 0 are refusals: see the enum.
 */

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "doubles would be rounded twice"
#endif

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

enum { NO_MEMORY = -1, THREE = -2, ONE_HASH = -3, NO_RAYS = -4, NOT_CUT = -5, NO_CELL = -6 };

#define UNIT 0x1p-52
#define SLACK (1 + 0x1p-20)
#define LEAST 1e-300

/* Which source this was made of. */
EXPORT uint64_t er_source(void) { return SOURCE; }

typedef struct { double mid, rad; } Ball;

typedef struct {
    int64_t n, n_columns, n_words;
    const uint64_t *if_positive, *if_zero;
    const uint8_t *is_domain, *is_done;
    const int32_t *place; /* of a cut among the columns; -1 if it is not there */
    int64_t n_vertices;
    double *v_mid, *v_rad;
    int8_t *v_sign;
    int32_t *v_zeros;
    uint64_t *v_bits, *v_hash;
    uint8_t *v_alive;
    uint64_t *v_tight; /* only where ties are broken, as v_root and r_flat */
    int32_t *v_root;
    int64_t n_rays;
    double *r_mid, *r_rad;
    int8_t *r_sign;
    uint64_t *r_flat;
    int64_t n_edges;
    int32_t *e_a, *e_b, *e_ray, *e_zeros;
    uint64_t *e_zero_hash, *e_bits, *e_hash;
} Complex;

/* --- Balls: exactrelu/exact/balls.py */

static inline int is_zero(Ball x) { return x.mid == 0 && x.rad == 0; }

static inline Ball ball(double mid, double rad, int zero)
{
    Ball out = {0.0, 0.0};
    if (!zero) {
        out.mid = mid;
        out.rad = rad * SLACK + LEAST;
    }
    return out;
}

static inline int8_t sign_of(double mid, double rad)
{
    if (!(fabs(mid) > rad) || !isfinite(mid))
        return 0;
    return (int8_t)((mid > 0) - (mid < 0));
}

static inline Ball zero_between(Ball first, Ball second)
{
    double t = first.mid / (first.mid - second.mid);
    if (!isnan(t)) {
        t = t > 0.0 ? t : 0.0;
        t = t < 1.0 ? t : 1.0;
    }
    double apart = fabs(second.mid - first.mid) * (1 - 8 * UNIT) - first.rad - second.rad;
    double left = (1 - t) * (first.rad / apart) + t * (second.rad / apart);
    left = left + 4 * UNIT * ((fabs(first.mid) + fabs(second.mid)) / apart);
    return ball(t, apart > 0 ? left : INFINITY, is_zero(first));
}

static inline Ball between(Ball first, Ball second, Ball t)
{
    double mid = (1 - t.mid) * first.mid + t.mid * second.mid;
    double rad = (1 - t.mid) * first.rad + t.mid * second.rad;
    rad = rad + t.rad * (fabs(second.mid - first.mid) + first.rad + second.rad);
    rad = rad + 4 * UNIT * (fabs(first.mid) + fabs(second.mid));
    return ball(mid, rad, is_zero(first) && is_zero(second));
}

static inline Ball zero_beyond(Ball value, Ball slope)
{
    double t = -value.mid / slope.mid;
    if (!isnan(t))
        t = t > 0.0 ? t : 0.0;
    double size = fabs(slope.mid), least = size - slope.rad;
    double left = value.rad / least + t * (slope.rad / least + 4 * UNIT * (size / least));
    return ball(t, least > 0 ? left : INFINITY, 0);
}

static inline Ball beyond(Ball start, Ball direction, Ball t)
{
    double along = fabs(direction.mid) + direction.rad;
    double rad = start.rad + t.mid * direction.rad + t.rad * along;
    rad = rad + 4 * UNIT * (fabs(start.mid) + t.mid * fabs(direction.mid));
    return ball(start.mid + t.mid * direction.mid, rad, is_zero(start) && is_zero(direction));
}

/* --- Cuts */

static inline int bit_at(const uint64_t *bits, int64_t cut) { return bits[cut / 64] >> cut % 64 & 1; }

/* The edges that a column cuts: those with two ends, then unbounded ones, into `chosen`, which has
 * room for all edges.  `starts` gets the signs where edges start, `counts` how many are cut. */
EXPORT void er_find(
    const Complex *K, int64_t column, int32_t *chosen, int8_t *starts, int64_t *counts)
{
    int64_t bounded = 0, unbounded = 0, m = K->n_columns, n_edges = K->n_edges;
    for (int64_t e = 0; e < n_edges; e++) {
        int32_t b = K->e_b[e];
        int first = starts[e] = K->v_sign[K->e_a[e] * m + column];
        int last = b < 0 ? K->r_sign[K->e_ray[e] * m + column] : K->v_sign[b * m + column];
        if (first * last < 0) {
            if (b < 0)
                chosen[n_edges - ++unbounded] = (int32_t)e;
            else
                chosen[bounded++] = (int32_t)e;
        }
    }
    /* Those from the end are in the opposite order. */
    for (int32_t *low = chosen + n_edges - unbounded, *high = chosen + n_edges - 1; low < high;) {
        int32_t swap = *low;
        *low++ = *high;
        *high-- = swap;
    }
    memmove(chosen + bounded, chosen + n_edges - unbounded, (size_t)unbounded * sizeof *chosen);
    counts[0] = bounded;
    counts[1] = unbounded;
}

/* --- Ties: exactrelu/cells/ties.py */

#define TIED 2

/* A row of vertices, or of rays; `zero` is the sign that says that a column is exactly 0. */
typedef struct {
    double *mid, *rad;
    int8_t *sign;
    uint64_t *mask;
    int8_t zero;
} Row;

static inline Row vertex_row(const Complex *K, int64_t v)
{
    int64_t m = K->n_columns, size = K->n + m;
    Row out = {K->v_mid + v * size, K->v_rad + v * size, K->v_sign + v * m,
               K->v_tight + v * K->n_words, TIED};
    return out;
}

static inline Row ray_row(const Complex *K, int64_t r)
{
    int64_t m = K->n_columns, size = K->n + m;
    Row out = {K->r_mid + r * size, K->r_rad + r * size, K->r_sign + r * m,
               K->r_flat + r * K->n_words, 0};
    return out;
}

/* Mend what is new between two rows, where the cut of a column is 0, and set its mask. */
static void meet(const Complex *K, Row new, Row one, Row two, int64_t number, int64_t column)
{
    int64_t n = K->n, m = K->n_columns;
    size_t size = (size_t)(n + m) * sizeof(double);
    for (int64_t w = 0; w < K->n_words; w++)
        new.mask[w] = one.mask[w] & two.mask[w];
    for (int64_t c = 0; c < m; c++) {
        int is_zero = one.sign[c] == one.zero, is_other_zero = two.sign[c] == two.zero;
        if (K->is_done[c] || !(is_zero || is_other_zero))
            continue;
        if (is_zero && is_other_zero)
            new.mid[n + c] = new.rad[n + c] = 0;
        new.sign[c] = !is_zero ? one.sign[c] : is_other_zero ? new.zero : two.sign[c];
    }
    /* In an end itself there is nothing new.  A vertex does not lie in a ray. */
    int in_one = one.sign[column] == one.zero;
    int in_two = !in_one && one.zero == two.zero && two.sign[column] == two.zero;
    if (in_one || in_two) {
        Row end = in_one ? one : two;
        memcpy(new.mid, end.mid, size);
        memcpy(new.rad, end.rad, size);
        memcpy(new.mask, end.mask, (size_t)K->n_words * sizeof *new.mask);
        for (int64_t c = 0; c < m; c++)
            if (!K->is_done[c])
                new.sign[c] = end.sign[c];
    }
    new.mid[n + column] = new.rad[n + column] = 0;
    new.sign[column] = 0;
    new.mask[number / 64] |= (uint64_t)1 << number % 64;
}

/* A vertex on each chosen edge, after those that there are; how many have an open sign. */
EXPORT int64_t er_vertices(
    Complex *K, int64_t number, int64_t column, const int32_t *chosen, int64_t n_chosen)
{
    int64_t n = K->n, m = K->n_columns, size = n + m, words = K->n_words, n_open = 0;
    for (int64_t i = 0; i < n_chosen; i++) {
        int64_t e = chosen[i], v = K->n_vertices + i, a = K->e_a[e];
        int is_bounded = K->e_b[e] >= 0;
        int64_t b = is_bounded ? K->e_b[e] : K->e_ray[e];
        const double *mid = K->v_mid + a * size, *rad = K->v_rad + a * size;
        const double *to_mid = (is_bounded ? K->v_mid : K->r_mid) + b * size;
        const double *to_rad = (is_bounded ? K->v_rad : K->r_rad) + b * size;
        const int8_t *signs = K->v_sign + a * m;
        const int8_t *end_signs = (is_bounded ? K->v_sign : K->r_sign) + b * m;
        double *new_mid = K->v_mid + v * size, *new_rad = K->v_rad + v * size;
        int8_t *new_sign = K->v_sign + v * m;
        Ball here = {mid[n + column], rad[n + column]};
        Ball there = {to_mid[n + column], to_rad[n + column]};
        Ball t = is_bounded ? zero_between(here, there) : zero_beyond(here, there);
        for (int64_t c = 0; is_bounded && c < size; c++) {
            Ball at = between((Ball){mid[c], rad[c]}, (Ball){to_mid[c], to_rad[c]}, t);
            new_mid[c] = at.mid;
            new_rad[c] = at.rad;
        }
        for (int64_t c = 0; !is_bounded && c < size; c++) {
            Ball at = beyond((Ball){mid[c], rad[c]}, (Ball){to_mid[c], to_rad[c]}, t);
            new_mid[c] = at.mid;
            new_rad[c] = at.rad;
        }
        new_mid[n + column] = new_rad[n + column] = 0;
        for (int64_t c = 0; c < m; c++) {
            if (K->is_done[c])
                new_sign[c] = signs[c] ? signs[c] : end_signs[c];
            else
                new_sign[c] = sign_of(new_mid[n + c], new_rad[n + c]);
        }
        new_sign[column] = 0;
        if (K->v_tight) {
            meet(K, vertex_row(K, v), vertex_row(K, a), is_bounded ? vertex_row(K, b) : ray_row(K, b),
                 number, column);
            int is_at_b = is_bounded && end_signs[column] == TIED;
            K->v_root[v] = signs[column] == TIED ? K->v_root[a] : is_at_b ? K->v_root[b] : (int32_t)v;
        }
        int is_open = 0;
        for (int64_t c = 0; c < m; c++)
            is_open |= !K->is_done[c] && !new_sign[c];
        n_open += is_open;
        memcpy(K->v_zeros + v * n, K->e_zeros + e * (n - 1), (size_t)(n - 1) * sizeof(int32_t));
        K->v_zeros[v * n + n - 1] = (int32_t)number;
        memcpy(K->v_bits + v * words, K->e_bits + e * words, (size_t)words * sizeof(uint64_t));
        K->v_hash[v] = K->e_hash[e];
        K->v_alive[v] = 1;
    }
    K->n_vertices += n_chosen;
    return n_open;
}

/* --- 2-faces: those of edge number i of some, with zero number j made - or +: row 2(n-1)i + 2j
 * and the one after it. */

typedef struct { int64_t edge, left; int positive; } Face;

static inline Face face_of(const Complex *K, const int32_t *edges, int64_t row)
{
    int64_t k = 2 * (K->n - 1);
    int64_t e = edges[row / k];
    Face out = {e, K->e_zeros[e * (K->n - 1) + row % k / 2], (int)(row % 2)};
    return out;
}

static inline uint64_t face_key(const Complex *K, Face f)
{
    uint64_t key = K->e_hash[f.edge] + K->e_zero_hash[f.edge] - K->if_zero[f.left];
    return f.positive ? key + K->if_positive[f.left] : key;
}

static inline uint64_t face_word(const Complex *K, Face f, int64_t w)
{
    uint64_t word = K->e_bits[f.edge * K->n_words + w];
    return f.positive && f.left / 64 == w ? word | (uint64_t)1 << f.left % 64 : word;
}

static int is_same(const Complex *K, Face one, Face two)
{
    for (int64_t w = 0; w < K->n_words; w++)
        if (face_word(K, one, w) != face_word(K, two, w))
            return 0;
    int64_t k = K->n - 1;
    const int32_t *first = K->e_zeros + one.edge * k, *second = K->e_zeros + two.edge * k;
    for (int64_t i = 0, j = 0; i < k; i++) {
        if (first[i] == one.left)
            continue;
        if (second[j] == two.left)
            j++;
        if (first[i] != second[j++])
            return 0;
    }
    return 1;
}

/* Open addressing: slots hold a number + 1, 0 where nothing is. */
typedef struct { uint64_t mask; int32_t *slot; } Hashes;

static int make(Hashes *table, int64_t n)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)n)
        size *= 2;
    table->mask = size - 1;
    table->slot = calloc(size, sizeof(int32_t));
    return table->slot != NULL;
}

static inline uint64_t place_of(uint64_t key) { return (key ^ key >> 32) * 0x9E3779B97F4A7C15u >> 20; }

/* Sort some rows by their keys, which are hashes, and so as good as random: into as many buckets as
 * there are rows, after which hardly a row is out of place.  `work` has room for the rows. */
static int sort_rows(int32_t *rows, int64_t n_rows, const uint64_t *keys, int32_t *work)
{
    int n_bits = 4;
    while (n_rows >> n_bits)
        n_bits++;
    int64_t size = (int64_t)1 << n_bits, start = 0;
    int32_t *bucket = calloc((size_t)size, sizeof *bucket);
    if (!bucket)
        return 0;
    for (int64_t i = 0; i < n_rows; i++)
        bucket[keys[rows[i]] >> (64 - n_bits)]++;
    for (int64_t i = 0; i < size; i++) {
        int32_t count = bucket[i];
        bucket[i] = (int32_t)start;
        start += count;
    }
    for (int64_t i = 0; i < n_rows; i++)
        work[bucket[keys[rows[i]] >> (64 - n_bits)]++] = rows[i];
    free(bucket);
    for (int64_t i = 0; i < n_rows; i++) {
        int32_t row = work[i];
        int64_t j = i;
        for (; j > 0 && keys[rows[j - 1]] > keys[row]; j--)
            rows[j] = rows[j - 1];
        rows[j] = row;
    }
    return 1;
}

/* Join the 2-faces at chosen edges: two of the same signs are one face.  Into `first` and `second`
 * go their rows, in the order of their keys; then, into `first`, the rows of single ones, likewise.
 * Both have room for all rows.  `counts` gets how many pairs and single ones there are. */
EXPORT int64_t er_join(
    const Complex *K, const int32_t *chosen, int64_t n_chosen,
    int32_t *first, int32_t *second, int64_t *counts)
{
    int64_t k = 2 * (K->n - 1), n_rows = n_chosen * k, status = 0;
    Hashes table;
    uint64_t *keys = malloc((size_t)(n_rows ? n_rows : 1) * sizeof *keys);
    int32_t *partner = malloc((size_t)(n_rows ? n_rows : 1) * sizeof *partner);
    int is_made = make(&table, n_rows);
    if (!keys || !partner || !is_made) {
        status = NO_MEMORY;
        goto end;
    }
    for (int64_t row = 0; row < n_rows; row++) {
        Face f = face_of(K, chosen, row);
        /* -2: there is no such face; -1: no partner yet. */
        partner[row] = -2;
        if (!f.positive && K->is_domain[f.left])
            continue;
        partner[row] = -1;
        uint64_t key = keys[row] = face_key(K, f), at = place_of(key);
        for (;; at++) {
            int32_t *slot = table.slot + (at & table.mask);
            if (!*slot) {
                *slot = (int32_t)row + 1;
                break;
            }
            int64_t other = *slot - 1;
            if (keys[other] != key)
                continue;
            if (partner[other] >= 0)
                status = THREE;
            else if (!is_same(K, face_of(K, chosen, other), f))
                status = ONE_HASH;
            if (status)
                goto end;
            partner[other] = (int32_t)row;
            partner[row] = -2;
            break;
        }
    }
    int64_t n_pairs = 0, n_single = 0;
    for (int64_t row = 0; row < n_rows; row++)
        if (partner[row] >= 0)
            first[n_pairs++] = (int32_t)row;
    for (int64_t row = 0; row < n_rows; row++)
        if (partner[row] == -1)
            first[n_pairs + n_single++] = (int32_t)row;
    if (!sort_rows(first, n_pairs, keys, second) || !sort_rows(first + n_pairs, n_single, keys, second)) {
        status = NO_MEMORY;
        goto end;
    }
    for (int64_t i = 0; i < n_pairs; i++)
        second[i] = partner[first[i]];
    counts[0] = n_pairs;
    counts[1] = n_single;
end:
    free(keys);
    free(partner);
    free(table.slot);
    return status;
}

/* For each single 2-face its two unbounded edges, into `ends`. */
static int64_t far_ends(
    const Complex *K, const int32_t *chosen, const int32_t *single, int64_t n_single, int32_t *ends)
{
    int64_t k = 2 * (K->n - 1), status = 0;
    Hashes table;
    if (!make(&table, n_single))
        return NO_MEMORY;
    for (int64_t i = 0; i < n_single; i++) {
        uint64_t at = place_of(face_key(K, face_of(K, chosen, single[i])));
        while (table.slot[at & table.mask])
            at++;
        table.slot[at & table.mask] = (int32_t)i + 1;
        ends[2 * i] = ends[2 * i + 1] = -1;
    }
    for (int64_t e = 0; e < K->n_edges && !status; e++) {
        if (K->e_b[e] >= 0)
            continue;
        int32_t edge = (int32_t)e;
        for (int64_t row = 0; row < k && !status; row++) {
            Face f = face_of(K, &edge, row);
            if (!f.positive && K->is_domain[f.left])
                continue;
            uint64_t key = face_key(K, f);
            for (uint64_t at = place_of(key);; at++) {
                int64_t i = table.slot[at & table.mask] - 1;
                if (i < 0)
                    break;
                Face other = face_of(K, chosen, single[i]);
                if (face_key(K, other) != key)
                    continue;
                if (!is_same(K, other, f))
                    status = ONE_HASH;
                else if (ends[2 * i + 1] >= 0)
                    status = NO_RAYS;
                else
                    ends[2 * i + (ends[2 * i] >= 0)] = edge;
                break;
            }
        }
    }
    for (int64_t i = 0; i < n_single && !status; i++)
        if (ends[2 * i + 1] < 0)
            status = NO_RAYS;
    free(table.slot);
    return status;
}

/* The direction of an unbounded edge, along which the cut stays zero; whether a sign is open. */
static int64_t new_ray(Complex *K, Face f, int64_t number, int64_t column, const int32_t *ends)
{
    int64_t n = K->n, m = K->n_columns, size = n + m, r = K->n_rays++;
    int64_t one = K->e_ray[ends[0]], two = K->e_ray[ends[1]];
    if (K->r_sign[one * m + column] * K->r_sign[two * m + column] > 0)
        return NOT_CUT;
    Ball here = {K->r_mid[one * size + n + column], K->r_rad[one * size + n + column]};
    Ball there = {K->r_mid[two * size + n + column], K->r_rad[two * size + n + column]};
    Ball t = zero_between(here, there);
    double *mid = K->r_mid + r * size, *rad = K->r_rad + r * size;
    for (int64_t c = 0; c < size; c++) {
        Ball x = {K->r_mid[one * size + c], K->r_rad[one * size + c]};
        Ball y = {K->r_mid[two * size + c], K->r_rad[two * size + c]};
        Ball at = between(x, y, t);
        mid[c] = at.mid;
        rad[c] = at.rad;
    }
    mid[n + column] = rad[n + column] = 0;
    int8_t *sign = K->r_sign + r * m;
    for (int64_t c = 0; c < m; c++)
        sign[c] = sign_of(mid[n + c], rad[n + c]);
    if (K->r_flat)
        meet(K, ray_row(K, r), ray_row(K, one), ray_row(K, two), number, column);
    int is_open = 0;
    for (int64_t c = 0; c < m; c++)
        is_open |= !sign[c] && !K->is_done[c];
    /* The edge leaves the zero that the 2-face does not have, at its start. */
    if (K->place[f.left] >= 0)
        sign[K->place[f.left]] = f.positive ? 1 : -1;
    return is_open;
}

/* Cut the chosen edges in two; join their new vertices, the first of which is `created`, by new
 * edges; give all their signs.  How many new rays have an open sign. */
EXPORT int64_t er_edges(
    Complex *K, int64_t number, int64_t column, int64_t created,
    const int32_t *chosen, const int8_t *starts, int64_t n_chosen,
    const int32_t *first, const int32_t *second, int64_t n_pairs, int64_t n_single)
{
    int64_t n = K->n, k = n - 1, words = K->n_words, m = K->n_columns;
    int64_t n_open = 0, status = 0, n_before = K->n_edges;
    uint64_t bit = (uint64_t)1 << number % 64;
    int32_t *ends = NULL;
    if (n_single) {
        ends = malloc((size_t)n_single * 2 * sizeof *ends);
        status = ends ? far_ends(K, chosen, first + n_pairs, n_single, ends) : NO_MEMORY;
        if (status) {
            free(ends);
            return status;
        }
    }
    for (int64_t i = 0; i < n_pairs + n_single; i++) {
        Face f = face_of(K, chosen, first[i]);
        int64_t e = n_before + n_chosen + i;
        K->e_a[e] = (int32_t)(created + first[i] / (2 * k));
        K->e_b[e] = K->e_ray[e] = -1;
        int32_t *zeros = K->e_zeros + e * k;
        for (int64_t j = 0; j < k; j++)
            if (K->e_zeros[f.edge * k + j] != f.left)
                *zeros++ = K->e_zeros[f.edge * k + j];
        *zeros = (int32_t)number;
        K->e_zero_hash[e] = K->e_zero_hash[f.edge] - K->if_zero[f.left] + K->if_zero[number];
        for (int64_t w = 0; w < words; w++)
            K->e_bits[e * words + w] = face_word(K, f, w);
        K->e_hash[e] = K->e_hash[f.edge] + (f.positive ? K->if_positive[f.left] : 0);
        if (i < n_pairs) {
            K->e_b[e] = (int32_t)(created + second[i] / (2 * k));
        } else {
            K->e_ray[e] = (int32_t)K->n_rays;
            int64_t is_open = new_ray(K, f, number, column, ends + 2 * (i - n_pairs));
            if (is_open < 0) {
                free(ends);
                return is_open;
            }
            n_open += is_open;
        }
    }
    free(ends);
    for (int64_t i = 0; i < n_chosen; i++) {
        int64_t e = chosen[i], half = n_before + i;
        K->e_a[half] = (int32_t)(created + i);
        K->e_b[half] = K->e_b[e];
        K->e_ray[half] = K->e_ray[e];
        memcpy(K->e_zeros + half * k, K->e_zeros + e * k, (size_t)k * sizeof(int32_t));
        K->e_zero_hash[half] = K->e_zero_hash[e];
        memcpy(K->e_bits + half * words, K->e_bits + e * words, (size_t)words * sizeof(uint64_t));
        K->e_hash[half] = K->e_hash[e];
        if (starts[e] < 0) {
            K->e_bits[half * words + number / 64] |= bit;
            K->e_hash[half] += K->if_positive[number];
        }
        K->e_b[e] = (int32_t)(created + i);
        K->e_ray[e] = -1;
    }
    for (int64_t e = 0; e < n_before; e++) {
        uint64_t mask = -(uint64_t)(starts[e] > 0);
        K->e_bits[e * words + number / 64] |= bit & mask;
        K->e_hash[e] += K->if_positive[number] & mask;
    }
    for (int64_t v = 0; v < created; v++) {
        uint64_t mask = -(uint64_t)(K->v_sign[v * m + column] > 0);
        K->v_bits[v * words + number / 64] |= bit & mask;
        K->v_hash[v] += K->if_positive[number] & mask;
    }
    K->n_edges = n_before + n_chosen + n_pairs + n_single;
    return n_open;
}

/* --- Cells */

/* Faces of one dimension: hashes and bits of their positive cuts, and their zeros; and for each
 * pair of a face and a cell around it the numbers of both, room for which is given.  A way to make
 * the zeros + and - is a number, the first zero its highest bit, + 1.  Pairs are in the order of
 * ways, then of faces, if there is no room for ways; else face by face, and have their ways. */
typedef struct {
    int64_t n_faces, n_zeros;
    const uint64_t *hash, *bits;
    const int32_t *zeros;
    int64_t n_pairs;
    int32_t *face, *cell;
    uint64_t *way;
} Faces;

typedef struct {
    int64_t n_words, n_cells;
    const uint64_t *if_positive;
    const uint8_t *is_domain;
    uint64_t *hash, *bits; /* of the cells; there is room for all */
    Hashes table;
} Cells;

static int grow(Cells *C)
{
    Hashes larger;
    if (!make(&larger, (int64_t)C->table.mask + 1))
        return 0;
    for (int64_t c = 0; c < C->n_cells; c++) {
        uint64_t at = place_of(C->hash[c]);
        while (larger.slot[at & larger.mask])
            at++;
        larger.slot[at & larger.mask] = (int32_t)c + 1;
    }
    free(C->table.slot);
    C->table = larger;
    return 1;
}

/* The number of a cell, which is new or not; below 0 if it is refused. */
static int64_t cell_number(Cells *C, uint64_t hash, const uint64_t *words, int may_be_new)
{
    uint64_t at = place_of(hash);
    size_t size = (size_t)C->n_words * sizeof(uint64_t);
    for (;; at++) {
        int64_t c = C->table.slot[at & C->table.mask] - 1;
        if (c < 0)
            break;
        if (C->hash[c] == hash)
            return memcmp(C->bits + c * C->n_words, words, size) ? ONE_HASH : c;
    }
    if (!may_be_new)
        return NO_CELL;
    int64_t c = C->n_cells++;
    C->table.slot[at & C->table.mask] = (int32_t)c + 1;
    C->hash[c] = hash;
    memcpy(C->bits + c * C->n_words, words, size);
    if (2 * (uint64_t)C->n_cells > C->table.mask && !grow(C))
        return NO_MEMORY;
    return c;
}

/* The cells around faces: all ways to make their zeros + and -, inside the domain. */
static int64_t cells_around(Cells *C, Faces *F, int may_be_new)
{
    int64_t words = C->n_words, n_zeros = F->n_zeros;
    uint64_t *own = malloc((size_t)words * sizeof *own);
    if (!own)
        return NO_MEMORY;
    F->n_pairs = 0;
    for (int64_t f = 0; f < F->n_faces; f++) {
        const int32_t *zeros = F->zeros + f * n_zeros;
        uint64_t free_ways = 0, positive = 0, way = 0;
        for (int64_t j = 0; j < n_zeros; j++) {
            uint64_t bit = (uint64_t)1 << (n_zeros - 1 - j);
            if (C->is_domain[zeros[j]])
                positive |= bit;
            else
                free_ways |= bit;
        }
        do {
            uint64_t hash = F->hash[f], all = way | positive;
            memcpy(own, F->bits + f * words, (size_t)words * sizeof *own);
            for (int64_t j = 0; j < n_zeros; j++) {
                if (all >> (n_zeros - 1 - j) & 1) {
                    hash += C->if_positive[zeros[j]];
                    own[zeros[j] / 64] |= (uint64_t)1 << zeros[j] % 64;
                }
            }
            int64_t c = cell_number(C, hash, own, may_be_new);
            if (c < 0) {
                free(own);
                return c;
            }
            int64_t pair = F->way ? F->n_pairs : (int64_t)way * F->n_faces + f;
            F->face[pair] = (int32_t)f;
            F->cell[pair] = (int32_t)c;
            if (F->way)
                F->way[pair] = all;
            F->n_pairs++;
            way = (way - free_ways) & free_ways;
        } while (way);
    }
    free(own);
    return 0;
}

/* The cells around vertices, numbered as they come, and those of them around unbounded edges. */
EXPORT int64_t er_cells(Cells *C, Faces *vertices, Faces *edges)
{
    C->n_cells = 0;
    if (!make(&C->table, 2 * vertices->n_faces))
        return NO_MEMORY;
    int64_t status = cells_around(C, vertices, 1);
    if (!status)
        status = cells_around(C, edges, 0);
    free(C->table.slot);
    return status;
}

/* Add rows of `x`, which is `stride` wide, to the sums of their groups; if there is a middle for
 * each group, the distances from it. */
EXPORT void er_sums(
    int64_t n_pairs, int64_t n, const double *x, int64_t stride, const int32_t *rows,
    const int32_t *groups, const double *middle, double *sums)
{
    for (int64_t i = 0; i < n_pairs; i++) {
        const double *row = x + rows[i] * stride;
        double *sum = sums + groups[i] * n;
        const double *from = middle ? middle + groups[i] * n : NULL;
        for (int64_t j = 0; j < n; j++)
            sum[j] += from ? fabs(row[j] - from[j]) : row[j];
    }
}

/* --- Signs of points */

/* Values of the units of a layer at points, off by `error`: where a neuron is not certainly as
 * `active` has it, unit `first` and those after it, the point does not fit.  What the units pass on
 * replaces their values, and its size goes into `size`. */
EXPORT void er_pass(
    int64_t n_points, int64_t n_units, double *values, const uint8_t *active, int64_t n_octets,
    int64_t first, const uint8_t *is_neuron, const double *error, uint8_t *fits, double *size)
{
    for (int64_t p = 0; p < n_points; p++) {
        const uint8_t *octets = active + p * n_octets;
        double *row = values + p * n_units, largest = 0.0;
        int is_sure = 1;
        for (int64_t i = 0; i < n_units; i++) {
            int64_t unit = first + i;
            int is_active = octets[unit / 8] >> (7 - unit % 8) & 1;
            double value = row[i], passed = is_active ? value : 0.0, magnitude = fabs(passed);
            int is_as_given = ((is_active ? value : -value) > error[p]) & (fabs(value) <= DBL_MAX);
            is_sure &= is_as_given | (is_neuron[i] == 0);
            row[i] = passed;
            largest = magnitude > largest || isnan(magnitude) ? magnitude : largest;
        }
        fits[p] &= is_sure;
        size[p] = largest;
    }
}

/* --- Proofs: exactrelu/cells/node_signs.py */

/* The numbers of rows in the order of their groups, and where those of each group begin; there is
 * one place more than groups, for the end. */
EXPORT void er_grouped(
    int64_t n_rows, const int32_t *groups, int64_t n_groups, int32_t *begins, int32_t *order)
{
    memset(begins, 0, (size_t)(n_groups + 1) * sizeof *begins);
    for (int64_t i = 0; i < n_rows; i++)
        begins[groups[i]]++;
    int32_t end = 0;
    for (int64_t g = 0; g <= n_groups; g++)
        begins[g] = end += begins[g];
    for (int64_t i = n_rows - 1; i >= 0; i--)
        order[--begins[groups[i]]] = (int32_t)i;
}

/* Half-edges: what a neuron does along those of a vertex that a cell has (half_edges.py). */
typedef struct {
    int64_t n, n_units;
    const int32_t *zeros, *others;
    const double *mid, *rad, *slope_mid, *slope_rad;
} HalfEdges;

#define NO_EDGE INT32_MIN

static int rises(const HalfEdges *H, int64_t v, int64_t unit, int sign, const uint64_t *bits)
{
    double here = H->mid[v * H->n_units + unit], off_here = H->rad[v * H->n_units + unit];
    for (int64_t k = 0; k < H->n; k++) {
        int64_t other = H->others[2 * (v * H->n + k) + bit_at(bits, H->zeros[v * H->n + k])];
        double rise, off;
        if (other == NO_EDGE)
            return 0;
        if (other >= 0) {
            rise = H->mid[other * H->n_units + unit] - here;
            off = H->rad[other * H->n_units + unit] + off_here;
        } else {
            rise = H->slope_mid[(-1 - other) * H->n_units + unit];
            off = H->slope_rad[(-1 - other) * H->n_units + unit];
        }
        rise *= sign;
        if (!(fabs(rise) <= DBL_MAX && rise * (1 - 0x1p-20) > off * (1 + 0x1p-20)))
            return 0;
    }
    return 1;
}

/* The nodes of a layer: runs of regions that agree on the cuts before a depth, the number of the
 * next cut.  Vertex `vertex[i]`, the last cut through which is `last[i]`, belongs to the region in
 * whose range from `begins` on i is.  `near` has values of units at vertices. */
typedef struct {
    int64_t n_regions, n_words, n_cuts;
    const uint64_t *bits;
    const int32_t *differs_at, *cuts, *units, *begins, *vertex, *last;
    const double *near;
    HalfEdges half_edges;
    uint64_t *crossed, *work; /* a mask of cuts for each region, and four more */
    int32_t *corners;         /* room for all vertices of a node */
} Layer;

/* Neurons that get a sign at a node, which its first region and its depth tell: one row for each. */
typedef struct {
    int32_t *region, *depth, *vertex, *unit;
    int8_t *sign;
    uint8_t *is_certain;
} Signs;

/* Where |unit| is least, the first of some vertices; what is not a number is as large as can be. */
static int32_t least(const Layer *L, const int32_t *corners, int64_t n_corners, int64_t unit)
{
    int32_t found = corners[0];
    double best = INFINITY;
    for (int64_t i = 0; i < n_corners; i++) {
        double size = fabs(L->near[corners[i] * L->half_edges.n_units + unit]);
        if (size < best) {
            best = size;
            found = corners[i];
        }
    }
    return found;
}

/* The signs of these cuts at a node, in the order of certainty and then of vertices; how many. */
static int64_t signs_at(
    const Layer *L, int64_t first, int64_t end, int64_t depth, const uint64_t *decided, Signs *S)
{
    const uint64_t *bits = L->bits + first * L->n_words;
    int64_t n_corners = 0, count = 0;
    for (int64_t i = L->begins[first]; i < L->begins[end]; i++)
        if (L->last[i] < depth)
            L->corners[n_corners++] = L->vertex[i];
    for (int64_t j = 0; j < L->n_cuts; j++) {
        if (!bit_at(decided, L->cuts[j]))
            continue;
        /* Where ties are broken all vertices of a node may be those of flat cells. */
        int32_t unit = L->units[j], v = n_corners ? least(L, L->corners, n_corners, unit) : 0;
        int8_t sign = bit_at(bits, L->cuts[j]) ? 1 : -1;
        uint8_t is_certain = n_corners && rises(&L->half_edges, v, unit, sign, bits);
        int64_t at = count++;
        for (; at > 0; at--) {
            if (S->is_certain[at - 1] < is_certain ||
                (S->is_certain[at - 1] == is_certain && S->vertex[at - 1] <= v))
                break;
            S->vertex[at] = S->vertex[at - 1];
            S->unit[at] = S->unit[at - 1];
            S->sign[at] = S->sign[at - 1];
            S->is_certain[at] = S->is_certain[at - 1];
        }
        S->vertex[at] = v;
        S->unit[at] = unit;
        S->sign[at] = sign;
        S->is_certain[at] = is_certain;
    }
    for (int64_t i = 0; i < count; i++) {
        S->region[i] = (int32_t)first;
        S->depth[i] = (int32_t)depth;
    }
    return count;
}

/* The neurons of a layer that get their signs at each node; how many.  Without arrays for them, or
 * with room for all: they come depth by depth, and node by node.  Cuts before number `first_depth`
 * cross all nodes. */
EXPORT int64_t er_signs(const Layer *L, int64_t first_depth, const Signs *room)
{
    int64_t words = L->n_words, before = -1, count = 0;
    uint64_t *above = L->work, *low = above + words, *open = low + words, *decided = open + words;
    memset(open, 0, (size_t)words * sizeof *open);
    for (int64_t j = 0; j < L->n_cuts; j++)
        open[L->cuts[j] / 64] |= (uint64_t)1 << L->cuts[j] % 64;
    for (int64_t j = 0; j < L->n_cuts; j++) {
        int64_t depth = L->cuts[j];
        if (depth >= first_depth) {
            for (int64_t first = 0, end; first < L->n_regions; first = end) {
                uint64_t *here = L->crossed + first * words;
                if (before < 0)
                    memset(above, -1, (size_t)words * sizeof *above);
                else if (L->differs_at[first] < before)
                    memcpy(above, here, (size_t)words * sizeof *above);
                memcpy(here, L->bits + first * words, (size_t)words * sizeof *here);
                memcpy(low, here, (size_t)words * sizeof *low);
                for (end = first + 1; end < L->n_regions && L->differs_at[end] >= depth; end++)
                    for (int64_t w = 0; w < words; w++) {
                        here[w] |= L->bits[end * words + w];
                        low[w] &= L->bits[end * words + w];
                    }
                int is_any = 0;
                for (int64_t w = 0; w < words; w++) {
                    here[w] &= ~low[w];
                    decided[w] = above[w] & ~here[w] & open[w];
                    is_any |= decided[w] != 0;
                }
                if (!is_any)
                    continue;
                if (room) {
                    Signs S = {room->region + count, room->depth + count, room->vertex + count,
                               room->unit + count, room->sign + count, room->is_certain + count};
                    count += signs_at(L, first, end, depth, decided, &S);
                } else {
                    for (int64_t w = 0; w < words; w++)
                        for (uint64_t left = decided[w]; left; left &= left - 1)
                            count++;
                }
            }
            before = depth;
        }
        open[depth / 64] &= ~((uint64_t)1 << depth % 64);
    }
    return count;
}

/* --- The text of proofs: exactrelu/certificates/trees.py and certificate.py */

/* What the records of a split tree say, region by region; cones of region r are those from
 * `begins[r]` on, and signs of cone c, a number of a neuron and a bit for + each, those from
 * `starts[c]` on.  Cuts have the number `row_of` of their row if they are rows of the domain, and
 * the number `unit_of` of their neuron else.  A path is the cuts that split the nodes above a
 * region, and `place` has the place of each on it, or -1. */
typedef struct {
    int64_t n, n_base;
    const int32_t *differs_at, *next_lower, *zeros, *row_of, *unit_of;
    const int32_t *begins, *depth, *vertex, *starts, *signs;
    const uint8_t *is_certain, *is_exact;
    const int64_t *numerators;
    const int16_t *exponents;
    /* How far this got. */
    int64_t region, cone, is_open, n_path, n_waiting;
    int32_t *path, *place, *waiting;
    char *text;
    int64_t size, n_text;
} Records;

/* For each value where the next lower one is; the last value is lower than all others. */
EXPORT void er_next_lower(int64_t n_values, const int32_t *values, int32_t *found)
{
    for (int64_t i = n_values - 2; i >= 0; i--) {
        int32_t j = (int32_t)i + 1;
        while (values[j] >= values[i])
            j = found[j];
        found[i] = j;
    }
}

enum { DONE, FULL, UNCERTAIN, EXACT };

/* No number is written with more digits than these, its sign and the space before it; but for the
 * denominator. */
#define DIGITS 18

static char *write_hex(char *at, uint64_t number)
{
    int shift = 0;
    while (shift < 60 && number >> shift >> 4)
        shift += 4;
    for (; shift >= 0; shift -= 4)
        *at++ = "0123456789abcdef"[number >> shift & 15];
    return at;
}

static char *write_word(char *at, const char *word)
{
    size_t length = strlen(word);
    memcpy(at, word, length);
    return at + length;
}

/* Go on to the next region, beyond the cut at which it differs from the one before; the cuts that
 * split the nodes of which it is the first wait, the deepest one below the others. */
static void turn(Records *P)
{
    int32_t cut = P->differs_at[P->region], popped = -1;
    if (cut >= 0) {
        while (popped != cut) {
            popped = P->path[--P->n_path];
            P->place[popped] = -1;
        }
        P->place[cut] = (int32_t)P->n_path;
        P->path[P->n_path++] = cut;
    }
    P->n_waiting = 0;
    for (int64_t r = P->region + 1; P->differs_at[r] > cut; r = P->next_lower[r])
        P->waiting[P->n_waiting++] = P->differs_at[r];
    P->is_open = 1;
}

static char *write_cone(const Records *P, char *at, int64_t cone)
{
    const int32_t *zeros = P->zeros + P->vertex[cone] * P->n;
    at = write_word(at, "sides");
    for (int64_t k = 0; k < P->n; k++) {
        int32_t place = P->place[zeros[k]];
        *at++ = ' ';
        at = write_hex(at, (uint64_t)(place >= 0 ? P->n_base + place : P->row_of[zeros[k]]));
    }
    for (int64_t i = P->starts[cone]; i < P->starts[cone + 1]; i++) {
        *at++ = ' ';
        at = write_hex(at, (uint64_t)P->signs[i]);
    }
    *at++ = '\n';
    return at;
}

/* A dyadic point in lowest terms: numerators, then the denominator. */
static char *write_point(const Records *P, char *at)
{
    const int64_t *x = P->numerators + P->region * P->n;
    int exponent = P->exponents[P->region], shift = exponent;
    for (int64_t k = 0; k < P->n; k++)
        for (int zeros = 0; x[k] && zeros < shift; zeros++)
            if ((uint64_t)x[k] >> zeros & 1)
                shift = zeros;
    at = write_word(at, "cell");
    for (int64_t k = 0; k < P->n; k++) {
        *at++ = ' ';
        if (x[k] < 0)
            *at++ = '-';
        /* What is not 0 has less than 64 zeros at its end. */
        at = write_hex(at, x[k] ? (x[k] < 0 ? -(uint64_t)x[k] : (uint64_t)x[k]) >> shift : 0);
    }
    exponent -= shift;
    *at++ = ' ';
    *at++ = "1248"[exponent % 4];
    for (; exponent >= 4; exponent -= 4)
        *at++ = '0';
    *at++ = '\n';
    return at;
}

/* Write the records of the next regions, up to one; or up to where a cone is not certain, a point
 * has no numerators, or there is no room. */
EXPORT int64_t er_records(Records *P, int64_t stop)
{
    char *at = P->text, *end = P->text + P->size;
    int64_t status = DONE;
    while (!status && P->region < stop) {
        if (!P->is_open)
            turn(P);
        int32_t split = P->n_waiting ? P->waiting[P->n_waiting - 1] : INT32_MAX;
        int64_t cone = P->cone;
        int is_cone = cone < P->begins[P->region + 1] && P->depth[cone] <= split;
        int64_t n_numbers = P->n + 1 + P->exponents[P->region] / 4;
        if (is_cone)
            n_numbers = P->n + P->starts[cone + 1] - P->starts[cone];
        if (end - at < (n_numbers + 1) * DIGITS) {
            status = FULL;
        } else if (is_cone && !P->is_certain[cone]) {
            status = UNCERTAIN;
        } else if (is_cone) {
            at = write_cone(P, at, cone);
            P->cone++;
        } else if (P->n_waiting) {
            at = write_word(at, "split ");
            at = write_hex(at, (uint64_t)P->unit_of[split]);
            *at++ = '\n';
            P->place[split] = (int32_t)P->n_path;
            P->path[P->n_path++] = split;
            P->n_waiting--;
        } else if (P->is_exact[P->region]) {
            status = EXACT;
        } else {
            at = write_point(P, at);
            P->region++;
            P->is_open = 0;
        }
    }
    P->n_text = at - P->text;
    return status;
}
