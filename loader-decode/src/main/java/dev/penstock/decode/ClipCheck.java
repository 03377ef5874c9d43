package dev.penstock.decode;

import dev.penstock.view.EdgeRule;
import dev.penstock.view.VideoColumn;
import dev.penstock.view.View;
import org.jspecify.annotations.Nullable;

/** Whether a clip can serve a view at all, whatever the anchors: what a message says, or null. */
final class ClipCheck {

    private ClipCheck() {}

    /** @param master the reference camera's clip, checked before any other; null in a view without video */
    static @Nullable String of(
            View view, WindowRule[] rules, String camera, CameraClip clip, @Nullable CameraClip master) {
        if (clip.frames() == 0) {
            return noFrames(clip);
        }
        for (int c = 0; c < rules.length; c++) {
            VideoColumn video = view.videos().get(c);
            if (!video.camera().equals(camera)) {
                continue;
            }
            if (video.rotate() && !clip.file().canRotate()) {
                return "its display matrix is no turn by a right angle, which can't be applied; re-encode it upright or"
                        + " set rotate false in the view";
            }
            String tooShort = view.edges() == EdgeRule.CLAMP ? null : tooShort(view, rules[c], video, clip, master);
            if (tooShort != null) {
                return tooShort;
            }
        }
        return null;
    }

    private static String noFrames(CameraClip clip) {
        if (clip.index().frameCount() == 0) {
            return "it has no frame; leave the episode out";
        }
        return "the range holds none of its frames, which are at "
                + clip.index().startSeconds() + " to " + clip.index().endSeconds()
                + " s; correct 'from' and 'to' in the index";
    }

    private static @Nullable String tooShort(
            View view, WindowRule rule, VideoColumn video, CameraClip clip, @Nullable CameraClip master) {
        if (rule.byFrame() && rule.isReference()) {
            return clip.frames() >= rule.span()
                    ? null
                    : "the window of " + rule.length() + " frames spans " + rule.span() + " frames, the clip has "
                            + clip.frames() + remedy();
        }
        double span = rule.byFrame() && master != null && master.frames() >= rule.span()
                ? master.secondsOf(master.first() + rule.span() - 1) - master.secondsOf(master.first())
                : rule.seconds();
        double has = clip.secondsOf(clip.end() - 1) - clip.secondsOf(clip.first());
        return span <= has + 2 * view.tolerance()
                ? null
                : "the window of " + video.window().length() + " frames spans " + span + " s, the clip's frames span "
                        + has + " s" + remedy();
    }

    private static String remedy() {
        return "; use a shorter window or stride, edges CLAMP, or leave the episode out with filter(...)";
    }
}
